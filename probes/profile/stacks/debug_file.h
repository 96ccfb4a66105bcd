/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * debug_file.h: finds the separate debug file of an ELF file that was stripped of its names.
 *
 * Note [debug file]
 * An ELF file has up to two hints to its debug file. Its build id, a note, is a hash that linkers
 * make; the debug file has the same build id, and its path below a debug folder is
 * .build-id/ab/cdef.debug for the id abcdef. The section .gnu_debuglink has the name of the debug
 * file and the CRC-32 of its bytes; the file is beside the ELF file, in the folder .debug there, or
 * below a debug folder at the path of the ELF file.
 *
 * Both files and both hints are hostile input. A debug file is taken only if its build id or its
 * CRC fits the hint, and if it is for the same machine. A hint cannot name another folder.
 */
#ifndef NFACC_RISCV_DEBUG_FILE_H
#define NFACC_RISCV_DEBUG_FILE_H

#include "include/nfart_status.h"
#include "support/buf.h"
#include "support/elf/elf_file.h"

enum { BUILD_ID_MOST = 64 };

struct debug_search {
	const char *const *folders; /* absolute or relative, in the order of the search */
	size_t n;
	struct buf notes; /* a line for each debug file that was found and does not fit */
};

/*
 * Returns the build id of an ELF file, of *n bytes within the file, at most BUILD_ID_MOST. NULL: it
 * has none.
 */
const unsigned char *elf_build_id(const struct elf_file *x, size_t *n);

/*
 * Opens the debug file of x, which was read from `path`. Returns false if there is none; *debug is
 * then closed. If a file is there and does not fit, appends a line to s->notes, and goes on with
 * the search. Cost: a debug file that is found by its name is read as a whole.
 */
bool debug_file_open(struct elf_file *debug, const struct elf_file *x, const char *path,
		     struct debug_search *s);

#endif
