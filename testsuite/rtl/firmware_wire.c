/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/rtl/firmware_wire.h"

#include <string.h>

void wire_clear(struct wire *w)
{
	struct target *t = w->target;
	unsigned errors = w->errors;

	memset(w, 0, sizeof *w);
	w->target = t;
	w->errors = errors;
}

void wire_fake(struct wire *w, uint32_t offset, uint32_t value)
{
	w->fake[w->nfakes].offset = offset;
	w->fake[w->nfakes++].value = value;
}

uint32_t nfacc_rd32(const struct nfacc_dev *dev, uint32_t offset)
{
	struct wire *w = dev->base;
	uint32_t value;

	w->polls += offset == NFACC_REG_STATUS;
	w->before = w->last;
	w->last = offset;
	w->errors += !target_read(w->target, offset, &value);
	for (uint32_t i = 0; i < w->nfakes; i++)
		if (w->fake[i].offset == offset)
			value = w->fake[i].value;
	return value;
}

void nfacc_wr32(const struct nfacc_dev *dev, uint32_t offset, uint32_t value)
{
	struct wire *w = dev->base;
	bool here = false;

	w->writes++;
	if (offset == NFACC_REG_CONFIG || offset == NFACC_REG_CONFIG_HI)
		here = w->configs++ == w->at;
	if (here && w->lose)
		return;
	if (here)
		value ^= w->flip;
	w->errors += !target_write(w->target, offset, value);
}
