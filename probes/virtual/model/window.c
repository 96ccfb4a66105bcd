/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/model/window.h"

void virt_window_read(struct virt_window *w)
{
	if (w->now == VIRT_WINDOW_MOST)
		w->over = true;
	else
		w->now++;
}

void virt_window_close(struct virt_window *w, uint64_t since)
{
	uint64_t more = w->now - (since > w->to ? since : w->to);

	if (since > w->to) {
		w->from = since;
	} else if (since < w->from) {
		more += w->from - since;
		w->from = since;
	}
	w->to = w->now;
	w->perhaps = more > w->now - w->perhaps ? w->now : w->perhaps + more;
}
