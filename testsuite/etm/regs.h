/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * regs.h: loads register values from the folder regs/ for tests, and sets the test's own budget and
 * period.
 */
#ifndef NFACC_TESTSUITE_REGS_H
#define NFACC_TESTSUITE_REGS_H

#include <stdio.h>
#include <stdlib.h>

#include "contract/etm/etm_dump.h"
#include "contract/etm/etm_text.h"
#include "support/buf.h"

/* Loads $SRCDIR/testsuite/etm/regs/NAME.regs. If the file is missing, the test ends at once. */
static inline struct etm_regs regs_load(const char *name)
{
	const char *root = getenv("SRCDIR");
	struct nfart_error e = { 0 };
	struct etm_dump d;
	struct buf b = { 0 };
	char path[512];

	snprintf(path, sizeof path, "%s/testsuite/etm/regs/%s.regs", root != NULL ? root : ".",
		 name);
	if (buf_read_file(&b, path, 1 << 16) != 0 ||
	    etm_dump_read(b.at, b.n, path, &d, &e) != NFART_OK) {
		printf("Bail out! %s: %s\n", path, e.what);
		exit(99);
	}
	buf_free(&b);
	return d.regs;
}

/* Sets the reload values and the values of the counters of time (0) and of lines (1). */
static inline void regs_set(struct etm_regs *r, uint32_t period, uint32_t budget)
{
	r->cntrldv[0] = r->cntv[0] = period;
	r->cntrldv[1] = r->cntv[1] = budget;
}

/* Finds the core a53, which the register values are for. */
static inline bool regs_core(struct etm_core *core)
{
	struct diags d = { .werror = false };
	bool found = etm_core_find(&d, NULL, 0, "a53", 3, core) == NFART_OK;

	diag_free(&d);
	return found;
}

#endif
