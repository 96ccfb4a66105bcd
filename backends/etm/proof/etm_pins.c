/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Which pins the outputs of a source stand for (etm_readings.h). The mapper is not asked. */
#include <string.h>

#include "backends/etm/proof/etm_readings.h"

/* Returns the pin that the name of an output says, or 0. */
static etm_pins_t pin_of_name(const char *name)
{
	static const char *const names[] = { "out0", "out1", "out2", "out3", "trace" };

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return (etm_pins_t)(1u << i);
	return 0;
}

void etm_source_pins(struct etm_compared *in, bool joined)
{
	const struct spec *s = in->spec;
	etm_pins_t taken = 0, next = 1;
	size_t unnamed = 0;

	in->noutputs = 0;
	for (size_t i = 0; i < s->outputs.n; i++) {
		taken |= pin_of_name(s->outputs.at[i]);
		unnamed += pin_of_name(s->outputs.at[i]) == 0;
	}
	for (size_t i = 0; i < s->outputs.n && i < ETM_SIDE_OUTPUTS; i++) {
		etm_pins_t pin = pin_of_name(s->outputs.at[i]);

		if (pin == 0 && joined && unnamed == 1) {
			pin = (etm_pins_t)(ETM_PIN_TRACE - 1u) & (etm_pins_t)~taken;
		} else if (pin == 0) {
			while ((next & taken) != 0 && next < ETM_PIN_TRACE)
				next = (etm_pins_t)(next << 1);
			pin = next < ETM_PIN_TRACE ? next : 0;
			taken |= pin;
		}
		in->pins[in->noutputs++] = pin;
	}
}
