/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/machine.h"

void machine_free(struct machine *m)
{
	for (size_t i = 0; i < m->counters.n; i++) {
		vec_free(&m->counters.at[i].count);
		vec_free(&m->counters.at[i].reset);
	}
	vec_free(&m->counters);
	vec_free(&m->states);
	vec_free(&m->moves);
}
