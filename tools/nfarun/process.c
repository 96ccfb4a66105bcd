/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/process.h"

#include "support/interrupt.h"

volatile sig_atomic_t process_stop;
struct nfart_mapping process_mapping;

/* Is a trace followed, and has a signal ended it? */
static volatile sig_atomic_t following, followed;

static void on_signal(int n)
{
	if (following != 0 && followed == 0) {
		followed = 1;
		return;
	}
	if (process_stop != 0)
		interrupt_end(n);
	process_stop = 1;
}

/* Handles SIGBUS. It is raised if another process makes the trace shorter while it is mapped. Then
 * the mapping is filled with zeros, and the reader notices the damage. Any other SIGBUS ends the
 * process. */
static void on_bus(int n, siginfo_t *info, void *context)
{
	(void)context;
	if (!nfart_mapping_fill(&process_mapping, info->si_addr))
		signal(n, SIG_DFL);
}

void process_catch_signals(void)
{
	struct sigaction a = { .sa_handler = on_signal }, old;
	struct sigaction bus = { .sa_sigaction = on_bus, .sa_flags = SA_SIGINFO };

	sigaddset(&a.sa_mask, SIGINT);
	sigaddset(&a.sa_mask, SIGTERM);
	sigaddset(&a.sa_mask, SIGHUP);
	sigaddset(&a.sa_mask, SIGQUIT);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	/* nohup(1) asks that SIGHUP is ignored. */
	if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &a, NULL);
	sigaction(SIGBUS, &bus, NULL);
}

const volatile sig_atomic_t *process_follow(void)
{
	following = 1;
	return &followed;
}

int process_report(const struct nfart_error *e)
{
	if (e->file[0] == 0)
		fputs("nfarun: ", stderr);
	nfart_error_print(stderr, e);
	return (int)e->status;
}
