/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Functions that a program calls to have only parts of its run recorded (include/nfamem.h). The
 * names are those of MadT.
 */
#include "probes/memory/inside/inside.h"

INSIDE_EXPORT void MadT__start(void);
INSIDE_EXPORT void MadT__stop(void);

static void mark_recording(enum mem_event kind)
{
	if (!inside_watching())
		return;
	inside_enter();
	ring_event(kind, NULL, 0);
	inside_leave();
}

void MadT__start(void)
{
	mark_recording(MEM_BEGIN);
}

void MadT__stop(void)
{
	mark_recording(MEM_END);
}
