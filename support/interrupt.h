/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * interrupt.h: signals that end a tool early, so that it shows what it has read up to there. What a
 * signal sets belongs to the process, because a handler gets no context.
 */
#ifndef NFACC_SUPPORT_INTERRUPT_H
#define NFACC_SUPPORT_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM are only noted. SIGPIPE is ignored: writing to a pipe without a
 * reader fails instead. */
void interrupt_catch(void);

/* Has SIGINT or SIGTERM come since interrupt_catch()? */
bool interrupt_came(void);

#endif
