/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* machine.c: see machine.h. Field names are those of qemu 7.2, target/riscv/cpu.h. */
#include "probes/profile/qemu/machine.h"

#include <dlfcn.h>
#include <string.h>

/* Numbers of control registers in qemu 7.2; its mode of access has the privilege. */
static const int csr_number[REGISTERS] = {
	[REGISTER_SATP] = 0x180,   [REGISTER_SCAUSE] = 0x142, [REGISTER_SEPC] = 0x141,
	[REGISTER_MCAUSE] = 0x342, [REGISTER_MEPC] = 0x341,   [REGISTER_SSCRATCH] = 0x140,
};

/* Numbers of general registers. */
enum { REG_TP = 4, REG_T0 = 5 };

/* GByteArray of GLib. */
struct bytes {
	uint8_t *data;
	unsigned length;
};

/*
 * Functions of qemu, and of GLib, which qemu uses. They are looked up once for the whole process.
 */
static struct {
	void *(*get_cpu)(int index);
	int (*read_register)(void *cpu, struct bytes *value, int number);
	int (*write_register)(void *cpu, uint8_t *value, int number);
	int (*csr)(void *env, int csr, uint64_t *value, uint64_t write, uint64_t mask);
	int (*mmu_index)(void *env, bool fetch);
	bool (*virt_enabled)(void *env);
	int (*memory)(void *cpu, uint64_t address, void *data, uint64_t length, bool write);
	struct bytes *(*bytes_new)(void);
	uint8_t *(*bytes_free)(struct bytes *bytes, int free_data);
} qemu;

/* The offset of the name of a task in struct task_struct; 0: not known yet. */
static size_t name_offset;

/*
 * Number of failed searches for it. It is limited, because with another kernel than Linux all
 * searches fail.
 */
static int attempts;

const char *machine_find(void)
{
	const struct {
		const char *name;
		void **function;
	} wanted[] = {
		{ "qemu_get_cpu", (void **)&qemu.get_cpu },
		{ "riscv_cpu_gdb_read_register", (void **)&qemu.read_register },
		{ "riscv_cpu_gdb_write_register", (void **)&qemu.write_register },
		{ "riscv_csrrw_debug", (void **)&qemu.csr },
		{ "riscv_cpu_mmu_index", (void **)&qemu.mmu_index },
		{ "riscv_cpu_virt_enabled", (void **)&qemu.virt_enabled },
		{ "cpu_memory_rw_debug", (void **)&qemu.memory },
		{ "g_byte_array_new", (void **)&qemu.bytes_new },
		{ "g_byte_array_free", (void **)&qemu.bytes_free },
	};

	if (registers_there())
		return NULL;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		*wanted[i].function = dlsym(RTLD_DEFAULT, wanted[i].name);
		if (!*wanted[i].function)
			return wanted[i].name;
	}
	return NULL;
}

/* Reads register t0 as qemu's debugger does. */
static bool read_t0(void *cpu, uint64_t *value)
{
	struct bytes *bytes = qemu.bytes_new();
	bool read = qemu.read_register(cpu, bytes, REG_T0) == sizeof(*value);

	if (read)
		memcpy(value, bytes->data, sizeof(*value));
	qemu.bytes_free(bytes, 1);
	return read;
}

/*
 * The registers are in the object of the processor, after CPUState, which has a pointer to them. To
 * find them, qemu's debugger interface puts a number into t0 for a moment. The number occurs
 * nowhere else. The search ends at t0 at the latest, so it never leaves the object.
 */
bool machine_processor(unsigned vcpu, struct processor *processor)
{
	enum { WORDS = 8192 };
	uint64_t mark = 0x8a3c55e17b90d24fu, before, *words, *t0 = NULL;

	*processor = (struct processor){ 0 };
	if (!qemu.get_cpu)
		return registers_find(&processor->registers);
	processor->cpu = qemu.get_cpu((int)vcpu);
	if (!processor->cpu || !read_t0(processor->cpu, &before))
		return false;
	qemu.write_register(processor->cpu, (uint8_t *)&mark, REG_T0);
	words = processor->cpu;
	for (size_t i = 0; i < WORDS && !t0; i++)
		if (words[i] == mark)
			t0 = &words[i];
	qemu.write_register(processor->cpu, (uint8_t *)&before, REG_T0);
	if (!t0 || *t0 != before)
		return false;
	processor->env = t0 - REG_T0;
	for (uint64_t *word = words; word < t0; word++)
		if (*word == (uint64_t)(uintptr_t)processor->env)
			return true;
	return false;
}

static uint64_t csr(const struct processor *processor, enum register_name name)
{
	uint64_t value = 0;

	if (!processor->env)
		return registers_read(&processor->registers, name);
	qemu.csr(processor->env, csr_number[name], &value, 0, 0);
	return value;
}

unsigned machine_privilege(const struct processor *processor)
{
	if (!processor->env)
		return (unsigned)registers_read(&processor->registers, REGISTER_PRIV) & 3;
	return (unsigned)qemu.mmu_index(processor->env, true) & 3;
}

bool machine_virtual(const struct processor *processor)
{
	return processor->env && qemu.virt_enabled(processor->env);
}

uint64_t machine_satp(const struct processor *processor)
{
	return csr(processor, REGISTER_SATP);
}

bool machine_refused(const struct processor *processor, unsigned privilege, uint64_t pc)
{
	uint64_t cause;

	if (privilege == 0)
		return false;
	cause = csr(processor, privilege == 1 ? REGISTER_SCAUSE : REGISTER_MCAUSE);
	if (cause >> 63) /* an interrupt, not an exception */
		return false;
	return csr(processor, privilege == 1 ? REGISTER_SEPC : REGISTER_MEPC) == pc;
}

uint64_t machine_task(const struct processor *processor)
{
	return name_offset ? csr(processor, REGISTER_SSCRATCH) : 0;
}

static uint64_t current_task(const struct processor *processor)
{
	if (!processor->env)
		return registers_read(&processor->registers, REGISTER_TP);
	return ((uint64_t *)processor->env)[REG_TP];
}

static bool read_memory(const struct processor *processor, uint64_t address, void *data,
			size_t size)
{
	if (!processor->env)
		return registers_memory(&processor->registers, address, data, size);
	return qemu.memory(processor->cpu, address, data, size, false) == 0;
}

bool machine_learn_names(const struct processor *processor, uint64_t satp)
{
	enum { LONGEST = 16384, PIECE = 256, ATTEMPTS = 16 };
	static const char first[] = "swapper";
	uint64_t task = current_task(processor);
	char piece[PIECE + sizeof(first)];

	if (name_offset || satp == 0 || task >> 63 == 0 || attempts == ATTEMPTS)
		return name_offset != 0;
	attempts++;
	for (size_t at = 0; at < LONGEST; at += PIECE) {
		if (!read_memory(processor, task + at, piece, sizeof(piece)))
			return false;
		for (size_t i = 0; i < PIECE; i++)
			if (memcmp(piece + i, first, sizeof(first) - 1) == 0) {
				name_offset = at + i;
				return true;
			}
	}
	return false;
}

void machine_name(const struct processor *processor, uint64_t task, char *name)
{
	if (!read_memory(processor, task + name_offset, name, 16))
		name[0] = '\0';
	name[15] = '\0';
}
