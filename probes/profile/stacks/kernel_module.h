/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * kernel_module.h: modules of Linux (.ko files), linked for the addresses at which a kernel has
 * loaded them.
 *
 * Note [module]
 * A module is not linked: instructions that depend on addresses have relocations. The kernel
 * applies these when it loads the module, wherever it has room for its sections, and says in
 * /sys/module/NAME/sections/SECTION where they are. The same is done here, in a copy of the file,
 * which then is an ELF file that runs at the addresses at which it is linked. Where an address is
 * not known, as of what other modules have, the instruction stays as it is in the file; the kernel
 * may change instructions anyway, and such places do not keep a page from being found.
 *
 * The file is hostile input.
 */
#ifndef NFACC_RISCV_KERNEL_MODULE_H
#define NFACC_RISCV_KERNEL_MODULE_H

#include "include/nfart_status.h"
#include "support/elf/elf_file.h"
#include "support/vec.h"

/* Where a section of a module is. */
struct module_section {
	char *module, *section; /* names, in one allocation, which `module` owns */
	uint64_t address;
};

struct kernel_modules {
	VEC(struct module_section) sections;
	/* Finds the address of a name that the kernel has. NULL: nothing is known of it. */
	bool (*find)(void *ctx, const char *name, uint64_t *address);
	void *ctx;
};

/*
 * Reads where sections are: lines .../NAME/sections/SECTION:ADDRESS, as `grep` prints what is in
 * /sys/module. On failure *e says which line is none.
 */
enum nfart_status kernel_modules_read(struct kernel_modules *k, const char *path,
				      struct nfart_error *e);
void kernel_modules_free(struct kernel_modules *k);

/*
 * Links the module in x, which was read from `path`; its name is the last part of the path, up to
 * the first dot, with "_" for "-". On success x is the linked copy, in *bytes, which the caller
 * frees after x. Fails if it is not known where the module was loaded. Cost: linear in the file,
 * plus that of find() for each name.
 */
enum nfart_status kernel_module_link(const struct kernel_modules *k, struct elf_file *x,
				     const char *path, unsigned char **bytes,
				     struct nfart_error *e);

#endif
