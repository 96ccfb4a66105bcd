/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/tool/returns.h"

#include <elfutils/libdwfl.h>
#include <stdlib.h>

#include "probes/memory/reader/libdw.h"

/* A loaded file has all that is needed (.eh_frame). Nothing is looked for elsewhere. */
static int find_nothing(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			const char *file, const char *link, GElf_Word crc, char **path)
{
	(void)module, (void)data, (void)name, (void)base;
	(void)file, (void)link, (void)crc, (void)path;
	return -1;
}

struct returns {
	Dwfl_Callbacks callbacks;
	Dwfl *dwfl;
};

struct returns *returns_new(pid_t pid)
{
	struct returns *r = calloc(1, sizeof *r);

	if (r == NULL)
		return NULL;
	r->callbacks.find_elf = dwfl_linux_proc_find_elf;
	r->callbacks.find_debuginfo = find_nothing;
	r->dwfl = libdw_load(NULL) == NFART_OK ? dwfl_begin(&r->callbacks) : NULL;
	if (r->dwfl != NULL && dwfl_linux_proc_report(r->dwfl, pid) == 0 &&
	    dwfl_report_end(r->dwfl, NULL, NULL) == 0 &&
	    dwfl_linux_proc_attach(r->dwfl, pid, true) == 0)
		return r;
	returns_free(r);
	return NULL;
}

void returns_free(struct returns *r)
{
	if (r != NULL && r->dwfl != NULL)
		dwfl_end(r->dwfl);
	free(r);
}

struct taker {
	returns_take *take;
	void *ctx;
};

static int on_frame(Dwfl_Frame *frame, void *with)
{
	const struct taker *t = with;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(frame, &pc, NULL))
		return DWARF_CB_ABORT;
	t->take(t->ctx, pc);
	return DWARF_CB_OK;
}

bool returns_of(struct returns *r, pid_t tid, returns_take *take, void *ctx)
{
	struct taker t = { take, ctx };

	return dwfl_getthread_frames(r->dwfl, tid, on_frame, &t) == 0;
}
