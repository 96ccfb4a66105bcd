/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * api.h: declares the functions of qemu's plugin interface that the plugin calls. No package of
 * Debian 12 contains qemu's own header. qemu 7.2 has version 1 of the interface. In version 2, of
 * qemu 9.0, nothing of this is different, but plugins for earlier ones are refused. In version 3, of
 * qemu 9.1, qemu_plugin_insn_data() copies.
 */
#ifndef RISCV_QEMU_API_H
#define RISCV_QEMU_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

struct qemu_info {
	const char *target_name; /* for example "riscv64" */
	struct {
		int min, cur;
	} version;
	bool system_emulation;
	struct {
		int smp_vcpus, max_vcpus; /* only in system emulation */
	} system;
};

/* What a callback does with the registers of the emulated processor. */
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_CB_RW_REGS };

typedef void (*qemu_vcpu_cb)(qemu_plugin_id_t id, unsigned vcpu);
typedef void (*qemu_simple_cb)(qemu_plugin_id_t id);
typedef void (*qemu_final_cb)(qemu_plugin_id_t id, void *data);
typedef void (*qemu_block_cb)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*qemu_insn_cb)(unsigned vcpu, void *data);
typedef void (*qemu_syscall_cb)(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1,
	uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_block_cb cb);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, qemu_insn_cb cb,
	enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, qemu_vcpu_cb cb);
void qemu_plugin_register_vcpu_exit_cb(qemu_plugin_id_t id, qemu_vcpu_cb cb);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_syscall_cb cb);
void qemu_plugin_register_flush_cb(qemu_plugin_id_t id, qemu_simple_cb cb);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_final_cb cb, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);

/* Up to version 2 it has one argument, and returns the address of the data. */
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t size);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

#endif
