/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * plugin.c: a plugin for qemu. It writes a token for each instruction that the emulated RISC-V
 * machine commits (probes/profile/stacks/token.h). nfaperf(1) has the command lines.
 *
 * Note [committed]
 * qemu calls a plugin before it executes an instruction. If the instruction faults, the plugin sees
 * it, then the trap handler, and then the instruction again. So each hart holds its last
 * instruction back. The next instruction then shows whether the held one was committed.
 *
 * In system mode the held instruction was not committed if the hart is now in a trap handler, and
 * the cause is an exception of that instruction. ecall and ebreak count as committed, although a
 * core may not count them. They show where a program enters the kernel.
 *
 * In user mode qemu shows no trap handler. There, an instruction in the middle of a block was
 * committed if the block went on after it. The last instruction of a block was committed, except if
 * it accesses memory and the next instruction is not the one after it in memory.
 *
 * Note [refresh]
 * Privilege and satp change only at traps and at instructions of kind INSN_SYSTEM. Both end a block
 * of qemu. So privilege is read at the first instruction of each block. satp is read only if such a
 * change may have happened.
 */
#include "probes/profile/qemu/api.h"
#include "probes/profile/qemu/cost.h"
#include "probes/profile/qemu/machine.h"
#include "probes/profile/qemu/options.h"
#include "probes/profile/qemu/out.h"
#include "probes/profile/qemu/truth.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An instruction in a block that qemu has translated. */
struct code {
	uint64_t pc;
	uint32_t instruction;
	uint8_t length; /* bytes */
	uint8_t kind;   /* enum insn_kind */
	bool last;      /* the last one of its block */
};

/* The instructions of a block. It exists as long as qemu keeps its blocks. */
struct block {
	struct block *next;
	struct code code[];
};

enum { BLOCK_TOKENS = 4096, MAX_VCPUS = 4096 };

struct hart {
	struct nfaperf_token held; /* the held instruction's token, without the cycle */
	struct code code;          /* the held instruction */
	bool holding, jumped;      /* jumped: the held instruction was the target of a jump */
	bool found;                /* `processor` is valid */
	struct processor processor;
	uint64_t cycle, random, committed;
	struct truth truth;
	size_t tokens;
	struct nfaperf_token token[BLOCK_TOKENS];
};

/*
 * Callbacks of instructions get only the number of a processor. So there is one such struct for the
 * whole process.
 */
static struct {
	pthread_mutex_t lock; /* for `blocks`, and for the list of harts */
	struct options options;
	bool system;
	bool copies; /* qemu_plugin_insn_data() copies: version 3 of the interface, and later */
	struct block *blocks;
	struct hart *hart[MAX_VCPUS]; /* indexed by the number of the processor */
	unsigned harts;               /* number of harts that were ever made */
	volatile bool begun;          /* tokens are being written; see options.begin */
	bool child; /* a child of fork() that writes; its harts begin with their first block */
} plugin = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void say_error(const char *text)
{
	fprintf(stderr, "nfaperf plugin: %s\n", text);
}

static void flush_tokens(struct hart *hart)
{
	out_tokens(hart->token, hart->tokens);
	hart->tokens = 0;
}

/* Writes the token of the held instruction, which was committed. */
static inline void commit(struct hart *hart)
{
	struct nfaperf_token *token = &hart->token[hart->tokens];

	hart->cycle += cost_of(hart->code.kind) + (hart->jumped ? COST_OF_JUMP : 0);
	if (plugin.options.stalls)
		hart->cycle += cost_of_stall(hart->code.kind, &hart->random);
	*token = hart->held;
	token->cycle = hart->cycle;
	hart->committed++;
	hart->holding = false;
	if (++hart->tokens == BLOCK_TOKENS)
		flush_tokens(hart);
}

static inline void hold_token(struct hart *hart, const struct code *code)
{
	hart->held.pc = code->pc;
	hart->held.instruction = code->instruction;
	hart->code = *code;
	hart->holding = true;
}

/* NULL: it has no tokens. */
static inline struct hart *hart_of(unsigned vcpu)
{
	return vcpu < MAX_VCPUS ? plugin.hart[vcpu] : NULL;
}

/*
 * Called at an instruction that is not the first of its block. So the one before it was committed.
 */
static void step_instruction(unsigned vcpu, void *data)
{
	struct hart *hart = hart_of(vcpu);

	if (!hart || !plugin.begun)
		return;
	if (hart->holding)
		commit(hart);
	hart->jumped = false;
	hold_token(hart, data);
}

static bool is_call_of_environment(uint32_t instruction)
{
	return instruction == 0x73 || instruction == 0x100073 || instruction == 0x9002;
}

/* In user mode: whether the held instruction was committed. A block at pc follows it. */
static bool committed_in_user_mode(const struct hart *hart, uint64_t pc)
{
	if (hart->code.kind == INSN_JUMP || hart->code.kind == INSN_SYSTEM)
		return true;
	if (pc == hart->code.pc + hart->code.length)
		return true;
	return hart->code.last && hart->code.kind == INSN_PLAIN;
}

/*
 * The same in system mode. Updates those fields of *now that may have changed since the last block.
 */
static bool refresh(struct hart *hart, uint64_t pc, struct nfaperf_token *now)
{
	const struct processor *processor = &hart->processor;
	unsigned privilege = machine_privilege(processor);
	bool natural = hart->code.kind == INSN_JUMP || pc == hart->code.pc + hart->code.length;

	if (hart->holding && natural && privilege == now->privilege && hart->code.kind != INSN_SYSTEM)
		return true;
	now->privilege = (uint8_t)privilege;
	now->satp = machine_satp(processor);
	now->flags = machine_virtual(processor) ? NFAPERF_VIRTUAL : 0;
	return natural || is_call_of_environment(hart->code.instruction) ||
		!machine_refused(processor, privilege, hart->code.pc);
}

/* Before the first instruction of a hart: finds its registers. */
static bool find_processor(struct hart *hart, unsigned vcpu)
{
	if (!hart->found && !machine_processor(vcpu, &hart->processor)) {
		say_error("this qemu is not laid out as qemu 7.2 is, and lacks registers of "
			  "RISC-V: no tokens of this hart");
		plugin.hart[vcpu] = NULL;
		return false;
	}
	hart->found = true;
	return true;
}

/* A new processor. In user mode this is a new thread. */
static void begin_hart(qemu_plugin_id_t id, unsigned vcpu)
{
	struct hart *hart = NULL;

	(void)id;
	pthread_mutex_lock(&plugin.lock);
	if (vcpu < MAX_VCPUS && plugin.harts <= UINT16_MAX)
		hart = calloc(1, sizeof(*hart));
	if (hart) {
		hart->held.hart = (uint16_t)plugin.harts++;
		hart->random = cost_seed(plugin.options.seed, hart->held.hart);
		hart->truth.hart = hart->held.hart;
		plugin.hart[vcpu] = hart;
	}
	pthread_mutex_unlock(&plugin.lock);
	if (!hart)
		say_error("no memory, or no number, for one more hart: it has no tokens");
}

/* Called at the first instruction of a block. */
static void enter_block(unsigned vcpu, void *data)
{
	const struct code *code = data;
	struct hart *hart = hart_of(vcpu);
	struct nfaperf_token now;
	bool committed;

	if (!plugin.begun && code->pc == plugin.options.begin)
		plugin.begun = true;
	if (!hart && plugin.child && vcpu < MAX_VCPUS) {
		begin_hart(0, vcpu);
		hart = plugin.hart[vcpu];
	}
	if (!hart || !plugin.begun || (plugin.system && !find_processor(hart, vcpu)))
		return;
	now = hart->held;
	committed = plugin.system ? refresh(hart, code->pc, &now) :
		committed_in_user_mode(hart, code->pc);
	if (hart->holding && committed)
		commit(hart);
	hart->held = now;
	hart->jumped = code->pc != hart->code.pc + hart->code.length;
	if (plugin.system && plugin.options.truth)
		truth_step(&hart->truth, &hart->processor, &now, hart->committed);
	hold_token(hart, code);
}

/* Reads the bits of an instruction. */
static uint32_t bits_of(const struct qemu_plugin_insn *insn)
{
	size_t size = qemu_plugin_insn_size(insn);
	uint32_t bits = 0;

	size = size < sizeof(bits) ? size : sizeof(bits);
	if (plugin.copies)
		qemu_plugin_insn_data(insn, &bits, size);
	else
		memcpy(&bits, (const void *)qemu_plugin_insn_data(insn, NULL, 0), size);
	return bits;
}

static void translate_block(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t count = qemu_plugin_tb_n_insns(tb);
	struct block *block = malloc(sizeof(*block) + count * sizeof(block->code[0]));

	(void)id;
	if (!block) {
		say_error("out of memory: tokens are missing");
		return;
	}
	pthread_mutex_lock(&plugin.lock);
	block->next = plugin.blocks;
	plugin.blocks = block;
	pthread_mutex_unlock(&plugin.lock);
	for (size_t i = 0; i < count; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		struct code *code = &block->code[i];

		*code = (struct code){ .pc = qemu_plugin_insn_vaddr(insn),
			.length = (uint8_t)qemu_plugin_insn_size(insn), .last = i + 1 == count };
		code->instruction = bits_of(insn);
		code->kind = (uint8_t)insn_kind(code->instruction);
		qemu_plugin_register_vcpu_insn_exec_cb(insn, i ? step_instruction : enter_block,
			i || !plugin.system ? QEMU_PLUGIN_CB_NO_REGS : QEMU_PLUGIN_CB_R_REGS, code);
	}
}

/* qemu drops its blocks and translates them anew later. */
static void forget_blocks(qemu_plugin_id_t id)
{
	(void)id;
	pthread_mutex_lock(&plugin.lock);
	while (plugin.blocks) {
		struct block *block = plugin.blocks;

		plugin.blocks = block->next;
		free(block);
	}
	pthread_mutex_unlock(&plugin.lock);
}

/* The end of a processor. Its last instruction was committed, because it ended the processor. */
static void end_hart(qemu_plugin_id_t id, unsigned vcpu)
{
	struct hart *hart = hart_of(vcpu);

	(void)id;
	if (!hart)
		return;
	if (hart->holding)
		commit(hart);
	flush_tokens(hart);
	truth_end(&hart->truth, hart->committed);
	pthread_mutex_lock(&plugin.lock);
	plugin.hart[vcpu] = NULL;
	free(hart);
	pthread_mutex_unlock(&plugin.lock);
}

static void finish_plugin(qemu_plugin_id_t id, void *data)
{
	const char *error;

	(void)data;
	for (unsigned i = 0; i < MAX_VCPUS; i++)
		end_hart(id, i);
	error = out_close();
	if (error)
		fprintf(stderr, "nfaperf plugin: %s: %s\n", plugin.options.out, error);
	error = truth_close();
	if (error)
		fprintf(stderr, "nfaperf plugin: %s: %s\n", plugin.options.truth, error);
}

/* qemu executes fork() of an emulated program by its own. */
static void before_fork(void)
{
	pthread_mutex_lock(&plugin.lock);
	out_before_fork();
}

static void after_fork(void)
{
	out_after_fork();
	pthread_mutex_unlock(&plugin.lock);
}

/* In the child: the harts of the parent write there. The thread that goes on here is a new hart. */
static void begin_child(void)
{
	const char *error;

	after_fork();
	for (unsigned i = 0; i < MAX_VCPUS; i++) {
		free(plugin.hart[i]);
		plugin.hart[i] = NULL;
	}
	plugin.harts = 0;
	plugin.child = out_child(&error);
	if (error)
		fprintf(stderr, "nfaperf plugin: %s: %s\n", plugin.options.out, error);
	if (!plugin.child)
		plugin.harts = UINT16_MAX + 1u;
}

/* Before a system call in user mode. If it succeeds, exec ends the plugin without a word. */
static void see_call(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2,
	uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	enum { EXECVE = 221, EXECVEAT = 281 };
	struct hart *hart = hart_of(vcpu);

	(void)id, (void)a1, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
	if (!hart || (number != EXECVE && number != EXECVEAT))
		return;
	flush_tokens(hart);
	out_complete();
}

static void cannot_write(const char *path)
{
	fprintf(stderr, "nfaperf plugin: %s: %s\n", path, strerror(errno));
}

/* qemu looks these up by name. */
__attribute__((visibility("default"))) extern int qemu_plugin_version;
int qemu_plugin_version = 1;

/*
 * Note [version]
 * qemu reads the version of the interface for which a plugin was made, and refuses what is too old
 * or too new: qemu 7.2 takes 0 and 1, and qemu 9.0 and later 2 and up. It does so after it has
 * loaded the plugin. So this function, which runs when that is done, chooses a version that this
 * qemu takes, by a function that version 2 has first.
 */
__attribute__((constructor)) static void choose_version(void)
{
	if (dlsym(RTLD_DEFAULT, "qemu_plugin_read_register"))
		qemu_plugin_version = 2;
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id,
	const struct qemu_info *info, int argc, char **argv);

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
	const char *missing;

	if (!options_read(&plugin.options, argc, argv))
		return -1;
	plugin.system = info->system_emulation;
	plugin.copies = info->version.cur >= 3;
	plugin.begun = plugin.options.begin == 0;
	missing = plugin.system ? machine_find() : NULL;
	if (strcmp(info->target_name, "riscv64") != 0 || missing) {
		fprintf(stderr, "nfaperf plugin: %s%s\n",
			missing ? "this qemu does not export " : "riscv64 is wanted, not ",
			missing ? missing : info->target_name);
		return -1;
	}
	if (!out_open(plugin.options.out, plugin.system ? 0 : NFAPERF_USER_MODE)) {
		cannot_write(plugin.options.out);
		return -1;
	}
	if (plugin.system && plugin.options.truth && !truth_open(plugin.options.truth)) {
		cannot_write(plugin.options.truth);
		return -1;
	}
	pthread_atfork(before_fork, after_fork, begin_child);
	if (!plugin.system)
		qemu_plugin_register_vcpu_syscall_cb(id, see_call);
	qemu_plugin_register_vcpu_init_cb(id, begin_hart);
	qemu_plugin_register_vcpu_exit_cb(id, end_hart);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate_block);
	qemu_plugin_register_flush_cb(id, forget_blocks);
	qemu_plugin_register_atexit_cb(id, finish_plugin, NULL);
	return 0;
}
