/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * plugin_host.c PLUGIN VERSION OUT [MISSING]: loads the plugin as qemu 9.0 and later do, and has it
 * see a few instructions of a machine: firmware, a kernel, a program whose load faults, and a system
 * call. Prints which version of the interface the plugin asks for, and the tokens. VERSION is that
 * of this interface, 2 or 4. MISSING is a register that the machine lacks.
 */
#include "probes/profile/qemu/api.h"
#include "probes/profile/stacks/token.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct qemu_plugin_insn {
	uint64_t pc;
	uint32_t bits;
	qemu_insn_cb cb;
	enum qemu_plugin_cb_flags flags;
	void *data;
};

/* A block, and the machine when it begins. */
struct qemu_plugin_tb {
	uint64_t priv, satp, cause, epc;
	struct qemu_plugin_insn insn[2];
	size_t n, done; /* done: instructions that are begun; the last of these may fault */
};

#define KERNEL UINT64_C(0xffffffff80000000)
#define SATP UINT64_C(0x8000000000080123)
enum { ADD = 0x00b50533, LOAD = 0x00053503, CALL = 0x73, RETURN = 0x10200073, END = 0x30200073 };

static struct qemu_plugin_tb blocks[] = {
	{ 3, 0, 0, 0, { { 0x80000000, ADD, 0, 0, 0 }, { 0x80000004, END, 0, 0, 0 } }, 2, 2 },
	{ 1, SATP, 0, 0, { { KERNEL, ADD, 0, 0, 0 }, { KERNEL + 4, RETURN, 0, 0, 0 } }, 2, 2 },
	{ 0, SATP, 0, 0, { { 0x10000, 0x4505, 0, 0, 0 }, { 0x10002, LOAD, 0, 0, 0 } }, 2, 2 },
	{ 1, SATP, 13, 0x10002, { { KERNEL + 8, RETURN, 0, 0, 0 } }, 1, 1 },
	{ 0, SATP, 0, 0, { { 0x10002, LOAD, 0, 0, 0 }, { 0x10006, CALL, 0, 0, 0 } }, 2, 2 },
	{ 1, 0x8000000000080456, 8, 0x10006, { { KERNEL + 8, RETURN, 0, 0, 0 } }, 1, 1 },
};

static struct {
	int version;
	const char *missing;
	const struct qemu_plugin_tb *now;
	bool may_read; /* the callback that runs has asked for registers */
	qemu_block_cb translate;
	qemu_vcpu_cb begin;
	qemu_final_cb end;
} host;

/* ---- what the plugin calls ---- */

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_block_cb cb)
{
	(void)id;
	host.translate = cb;
}

void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_insn_cb cb,
	enum qemu_plugin_cb_flags flags, void *data)
{
	insn->cb = cb;
	insn->flags = flags;
	insn->data = data;
}

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, qemu_vcpu_cb cb)
{
	(void)id;
	host.begin = cb;
}

void qemu_plugin_register_vcpu_exit_cb(qemu_plugin_id_t id, qemu_vcpu_cb cb)
{
	(void)id, (void)cb;
}

void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_syscall_cb cb)
{
	(void)id, (void)cb;
}

void qemu_plugin_register_flush_cb(qemu_plugin_id_t id, qemu_simple_cb cb)
{
	(void)id, (void)cb;
}

void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_final_cb cb, void *data)
{
	(void)id, (void)data;
	host.end = cb;
}

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb)
{
	return tb->n;
}

struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index)
{
	return (struct qemu_plugin_insn *)&tb->insn[index];
}

size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t size)
{
	if (host.version < 3)
		return (size_t)&insn->bits;
	memcpy(to, &insn->bits, size);
	return size;
}

size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn)
{
	return (insn->bits & 3) == 3 ? 4 : 2;
}

uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn)
{
	return insn->pc;
}

/* ---- registers, in arrays of GLib ---- */

struct array {
	char *data;
	unsigned length;
};

struct description {
	void *handle;
	const char *name, *feature;
};

struct array *g_byte_array_new(void);
struct array *g_byte_array_set_size(struct array *a, unsigned size);
char *g_array_free(struct array *a, int free_data);
struct array *qemu_plugin_get_registers(void);
int qemu_plugin_read_register(void *handle, struct array *value);

struct array *g_byte_array_new(void)
{
	return calloc(1, sizeof(struct array));
}

struct array *g_byte_array_set_size(struct array *a, unsigned size)
{
	a->data = realloc(a->data, size + 1);
	a->length = size;
	return a;
}

char *g_array_free(struct array *a, int free_data)
{
	if (free_data)
		free(a->data);
	free(a);
	return NULL;
}

static const char *const names[] = { "zero", "tp",     "sscratch", "satp", "scause",
				     "sepc", "mcause", "mepc",     "priv" };
enum { NAMES = sizeof names / sizeof names[0] };

struct array *qemu_plugin_get_registers(void)
{
	struct array *all = g_byte_array_new();
	struct description *at = calloc(NAMES, sizeof(*at));

	for (size_t i = 0; i < NAMES; i++)
		if (!host.missing || strcmp(names[i], host.missing) != 0)
			at[all->length++] =
				(struct description){ (void *)names[i], names[i], "riscv" };
	all->data = (char *)at;
	return all;
}

int qemu_plugin_read_register(void *handle, struct array *value)
{
	const struct qemu_plugin_tb *b = host.now;
	const char *name = handle;
	uint64_t number = strcmp(name, "priv") == 0   ? b->priv
			  : strcmp(name, "satp") == 0 ? b->satp
			  : strcmp(name, "scause") == 0 ? b->cause
			  : strcmp(name, "sepc") == 0   ? b->epc
							: 0;
	unsigned before = value->length;

	if (!host.may_read)
		return 0;
	g_byte_array_set_size(value, before + sizeof(number));
	memcpy(value->data + before, &number, sizeof(number));
	return sizeof(number);
}

/* ---- the machine ---- */

static void print_tokens(const char *path)
{
	struct nfaperf_head head;
	struct nfaperf_token t;
	FILE *f = fopen(path, "rb");

	if (!f || fread(&head, sizeof(head), 1, f) != 1)
		exit(1);
	while (fread(&t, sizeof(t), 1, f) == 1)
		printf("%" PRIx64 " %x %u %" PRIx64 "\n", t.pc, t.instruction, t.privilege, t.satp);
	fclose(f);
}

int main(int argc, char **argv)
{
	struct qemu_info info = { .target_name = "riscv64", .system_emulation = true };
	int (*install)(qemu_plugin_id_t, const struct qemu_info *, int, char **);
	char out[4096], *options[] = { out };
	void *plugin = argc < 4 ? NULL : dlopen(argv[1], RTLD_NOW);

	if (!plugin) {
		fprintf(stderr, "%s\n", argc < 4 ? "three arguments are wanted" : dlerror());
		return 1;
	}
	host.version = info.version.cur = atoi(argv[2]);
	info.version.min = 2;
	host.missing = argc > 4 ? argv[4] : NULL;
	printf("version %d\n", *(int *)dlsym(plugin, "qemu_plugin_version"));
	*(void **)&install = dlsym(plugin, "qemu_plugin_install");
	snprintf(out, sizeof(out), "out=%s", argv[3]);
	if (install(1, &info, 1, options) != 0)
		return 1;
	host.begin(1, 0);
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		host.now = &blocks[i];
		host.translate(1, &blocks[i]);
		for (size_t k = 0; k < blocks[i].done; k++) {
			host.may_read = blocks[i].insn[k].flags != QEMU_PLUGIN_CB_NO_REGS;
			blocks[i].insn[k].cb(0, blocks[i].insn[k].data);
		}
	}
	host.end(1, NULL);
	print_tokens(argv[3]);
	return 0;
}
