/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The windows in which an address may have been missed, in Verilog, compared with those in C. */
#include "probes/virtual/tests/rtl/rig.h"

static Vwindow *window = new Vwindow;
static struct virt_window window_own; /* for random steps */

static void window_reset();
static void window_random(uint64_t *random);
static rig_part window_part("window", window_reset, window_random);

static void window_reset()
{
	window->read = window->close = 0;
	rig_reset(&window_part, window);
	window_own = {};
}

extern "C" {
void __real_virt_window_read(struct virt_window *w);
void __real_virt_window_close(struct virt_window *w, uint64_t since);

void __wrap_virt_window_read(struct virt_window *w)
{
	__real_virt_window_read(w);
	window_part.steps++;
	window->read = 1;
	rig_clock(&window_part, window);
	window->read = 0;
	window_part.same("now", w->now, window->now);
	window_part.same("over", w->over, window->over);
}

void __wrap_virt_window_close(struct virt_window *w, uint64_t since)
{
	__real_virt_window_close(w, since);
	window->since = since;
	rig_step(&window_part, window, &window->close, &window->done, "close");
	window_part.same("perhaps", w->perhaps, window->perhaps);
}
}

static void window_random(uint64_t *random)
{
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t r = rig_random(random);

		for (unsigned n = r % 16; n-- > 0;)
			virt_window_read(&window_own);
		virt_window_close(&window_own,
				  window_own.now -
					  (r >> 8) %
						  (window_own.now < 64 ? window_own.now + 1 : 64));
	}
}
