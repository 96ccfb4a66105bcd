/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <stdlib.h>

#include "contract/image/image.h"
#include "testsuite/rtl/firmware_target.h"
#include "testsuite/rtl/regmodel.h"

struct target {
	struct regmodel m;
};

struct target *target_new(const struct nfart_image *im)
{
	struct target *t = malloc(sizeof *t);

	if (t != NULL && !regmodel_init(&t->m, &im->overlay, im->fp.hardware)) {
		free(t);
		return NULL;
	}
	if (t != NULL)
		t->m.lag = 3;
	return t;
}

void target_free(struct target *t)
{
	if (t != NULL)
		regmodel_free(&t->m);
	free(t);
}

bool target_read(struct target *t, uint32_t offset, uint32_t *value)
{
	return regmodel_read(&t->m, offset, value);
}

bool target_write(struct target *t, uint32_t offset, uint32_t value)
{
	return regmodel_write(&t->m, offset, value);
}

void target_batch(struct target *t)
{
	regmodel_batch(&t->m, 1);
}

void target_block(struct target *t, bool blocked)
{
	regmodel_block(&t->m, blocked);
}
