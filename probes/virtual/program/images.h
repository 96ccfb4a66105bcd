/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * images.h: the ELF files of one protocol: a program, its shared libraries, and those of other
 * processes. Their names make one table, at the addresses at which they run. Addresses of process p
 * are p times IMAGES_PROCESS higher in the table, so processes may use the same addresses.
 */
#ifndef NFACC_PROBES_VIRTUAL_IMAGES_H
#define NFACC_PROBES_VIRTUAL_IMAGES_H

#include "probes/virtual/contract/virtual.h"
#include "probes/virtual/program/elf_symbols.h"

enum { IMAGES_MOST = 64, IMAGES_MOST_PROCESSES = 16 };
#define IMAGES_PROCESS (UINT64_C(1) << VIRT_VA_BITS)

struct image {
	const char *path;
	size_t process; /* below IMAGES_MOST_PROCESSES */
	bool base_given;
	uint64_t base; /* where it was loaded, if it can be loaded anywhere */
};

struct images {
	struct elf_symbols all;   /* all names; its numbers do not depend on addresses */
	struct elf_symbols *part; /* of each file, which the names are borrowed from */
	size_t n;
};

/*
 * Reads n files, at most IMAGES_MOST. A file without a base that can be loaded anywhere is at
 * `usual` if it is the first of its process. Else it is an error if `placed`; if not, the file is
 * in no process. A name that several files have is called by its file, as in `free@libc.so.6`, and
 * one that several processes have by its process, as in `main@server`; `processes` has their names.
 * Names count from the first file on, in each by rising address. On failure sets *e, and x is
 * closed. Cost: n log n.
 */
enum nfart_status images_open(struct images *x, const struct image *image, size_t n,
			      const char *const *processes, uint64_t usual, bool placed,
			      struct nfart_error *e);

void images_close(struct images *x);

#endif
