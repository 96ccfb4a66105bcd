/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * machine.h: state of the emulated processor: satp, privilege, causes of traps, and which task runs
 * according to the kernel's memory.
 *
 * Since qemu 9.0 the plugin interface gives registers (registers.h). qemu 7.2 as Debian 12 builds
 * it exports functions for that (dlsym). Another qemu may have neither, and machine_find
 * says so. The functions of this file may be called only at the first
 * instruction of a block. In the middle of a block, qemu keeps registers elsewhere.
 */
#ifndef RISCV_QEMU_MACHINE_H
#define RISCV_QEMU_MACHINE_H

#include "probes/profile/qemu/registers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A processor as qemu has it: its CPUState, and its registers (CPURISCVState). With the newer
 * interface `env` is NULL, and `registers` is what there is.
 */
struct processor {
	void *cpu, *env;
	struct registers registers;
};

/*
 * Looks up qemu's functions. Returns NULL, or the name of a function that this qemu does not
 * export.
 */
const char *machine_find(void);

/* Finds processor number vcpu, which runs. Returns false if its layout is not known. */
bool machine_processor(unsigned vcpu, struct processor *processor);

/*
 * The privilege, 0 to 3; and whether the processor is in a guest of a hypervisor, which the newer
 * interface does not tell.
 */
unsigned machine_privilege(const struct processor *processor);
bool machine_virtual(const struct processor *processor);

/* The register satp. */
uint64_t machine_satp(const struct processor *processor);

/*
 * Whether the processor has just entered the trap handler of this privilege because of an exception
 * of the instruction at pc.
 */
bool machine_refused(const struct processor *processor, unsigned privilege, uint64_t pc);

/*
 * Returns the address of the current task. While a program runs, Linux has it in sscratch. Returns
 * 0 if the offset of names in tasks is not known.
 */
uint64_t machine_task(const struct processor *processor);

/*
 * Finds the offset of names in tasks. In supervisor mode tp points to the current task, and the
 * first task is called "swapper". Returns false if it was not found yet.
 */
bool machine_learn_names(const struct processor *processor, uint64_t satp);

/*
 * Reads the name of a task into `name`, which has 16 bytes, with a 0 at the end. The processor must
 * be in supervisor mode. The name is empty if the memory cannot be read.
 */
void machine_name(const struct processor *processor, uint64_t task, char *name);

#endif
