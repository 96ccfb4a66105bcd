/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * machine.h: registers of the emulated processor that qemu's plugin interface does not give: satp,
 * privilege, causes of traps, and who runs according to the kernel's memory.
 *
 * qemu 7.2 as Debian 12 builds it exports the functions for that to whoever looks (dlsym). Another
 * qemu may not; machine_find says so. Functions of this file may be called at the first instruction
 * of a block alone: in the middle of one, qemu keeps registers elsewhere.
 */
#ifndef RISCV_QEMU_MACHINE_H
#define RISCV_QEMU_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A processor as qemu has it: its CPUState, and its registers (CPURISCVState). */
struct processor {
	void *cpu, *env;
};

/* Finds qemu's functions; NULL, or the name of one that this qemu does not export. */
const char *machine_find(void);

/* Finds processor number vcpu; false if it is not laid out as in qemu 7.2. */
bool machine_processor(unsigned vcpu, struct processor *processor);

/* The privilege, 0 to 3, and whether the processor is in a guest of a hypervisor. */
unsigned machine_privilege(const struct processor *processor);
bool machine_virtual(const struct processor *processor);

/* The register satp. */
uint64_t machine_satp(const struct processor *processor);

/* Whether the processor has just entered the trap handler of this privilege because the instruction
 * at pc could not be executed. */
bool machine_refused(const struct processor *processor, unsigned privilege, uint64_t pc);

/* Linux has the current task's address in sscratch while a program runs; this returns it. 0: where
 * tasks have their names is not known. */
uint64_t machine_task(const struct processor *processor);

/* Finds out where tasks have their names: in supervisor mode the current task is in tp, and the
 * first one is called "swapper". False: it has not been found yet. */
bool machine_learn_names(const struct processor *processor, uint64_t satp);

/* Reads the name of a task into name, of 16 bytes, with a 0 at its end. The processor must be in
 * supervisor mode. An empty name: the memory cannot be read. */
void machine_name(const struct processor *processor, uint64_t task, char *name);

#endif
