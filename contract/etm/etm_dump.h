/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm_dump.h: reads the values of a macrocell's registers from text. These forms are read:
 *
 *	TRCSEQEVR0 0x8782               a register a line: name and value, with blanks, a comma or
 *	PR,TRCSEQEVR0,0x304             "=" between; words before the name and words behind the
 *	0x100 TRCSEQEVR0 0x304 text     value do not matter
 *	{ "TRCSEQEVR0": "0x304" }       JSON: names with values, at any depth,
 *	[{ "name": "TRCSEQEVR0", "value": 772 }]        or objects in which a name comes first
 *
 * "#", "//" and ";" begin comments in lines. The first line may be a heading. Registers that are
 * not stated are 0. Of a text for several cores (nfacc --cores) the first core is read,
 * without its cross-trigger interface.
 */
#ifndef NFACC_CONTRACT_ETM_DUMP_H
#define NFACC_CONTRACT_ETM_DUMP_H

#include "contract/etm/etm.h"
#include "include/nfart_status.h"

struct etm_dump {
	struct etm_regs regs;
	struct etm_regs stated; /* 1 for each register that the text states, else 0 */
};

/* Reads the n bytes at `text`; `name` stands for them in errors. NFART_INPUT: *e says what is
 * wrong, and where: a name that no register has, a value that is no number or too large for its
 * register, a register that is stated twice, or no register at all. */
enum nfart_status etm_dump_read(const char *text, size_t n, const char *name, struct etm_dump *d,
				struct nfart_error *e);

#endif
