/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "support/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t came;

static void on_signal(int signal)
{
	(void)signal;
	came = 1;
}

void interrupt_catch(void)
{
	struct sigaction a = { .sa_handler = on_signal };

	sigemptyset(&a.sa_mask);
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	a.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &a, NULL);
}

bool interrupt_came(void)
{
	return came != 0;
}
