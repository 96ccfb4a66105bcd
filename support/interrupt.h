/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * interrupt.h: signals that end a tool early. The tool shows what it has read up to there; or it
 * ends at once, and then its temporary files are removed. What a signal sets, and which files there
 * are, belongs to the process, because a handler gets no context.
 */
#ifndef NFACC_SUPPORT_INTERRUPT_H
#define NFACC_SUPPORT_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* From now on SIGINT, SIGTERM and SIGHUP are only noted. If SIGHUP is ignored, as nohup(1) asks, it
 * stays so. SIGPIPE is ignored: writing to a pipe without a reader fails instead. */
void interrupt_catch(void);

/* Has a signal come since interrupt_catch(), or interrupt_clear()? */
bool interrupt_came(void);

/* The same for those that look at it often: it becomes other than 0. */
const volatile sig_atomic_t *interrupt_flag(void);

/* The signals that came are dealt with. */
void interrupt_clear(void);

/* From now on the file `path` is removed if SIGINT, SIGTERM, SIGHUP or SIGQUIT ends the process.
 * Signals that the tool handles or ignores are left alone. Copies `path`. False: out of memory. */
bool interrupt_remove_file(const char *path);

/* The file `path` stays from now on: it has got its name, or is removed already. */
void interrupt_forget_file(const char *path);

/* Removes the files of interrupt_remove_file(), and lets the signal end the process when the
 * handler returns. This is for handlers, which must block SIGINT, SIGTERM, SIGHUP and SIGQUIT. */
void interrupt_end(int signal);

#endif
