/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * registers.h: registers and memory of the emulated processor, as qemu's plugin interface gives
 * them since qemu 9.0 (version 2 of the interface) and 9.2 (version 4). All functions may be called
 * only by the thread of a processor, in a callback that may read registers.
 */
#ifndef RISCV_QEMU_REGISTERS_H
#define RISCV_QEMU_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The registers that are read, by their names in qemu's descriptions for gdb. */
enum register_name {
	REGISTER_PRIV,
	REGISTER_SATP,
	REGISTER_SCAUSE,
	REGISTER_SEPC,
	REGISTER_MCAUSE,
	REGISTER_MEPC,
	REGISTER_SSCRATCH,
	REGISTER_TP,
	REGISTERS
};

struct registers {
	void *handle[REGISTERS];
	void *bytes; /* where qemu puts a value; it exists as long as the process */
};

/* Whether this qemu has the interface. */
bool registers_there(void);

/* Finds the registers of the processor that runs. False: some are missing, or no memory is left. */
bool registers_find(struct registers *r);

uint64_t registers_read(const struct registers *r, enum register_name name);

/* Reads memory at a virtual address. False: it can't be read, or the interface is too old. */
bool registers_memory(const struct registers *r, uint64_t address, void *data, size_t size);

#endif
