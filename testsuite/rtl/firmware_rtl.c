/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The target that runs the firmware's tests on the engine in Verilog. The engine is simulated by a
 * model that nfamodel built for the hardware of the image.
 */
#include <stdlib.h>
#include <string.h>

#include "contract/image/image.h"
#include "runtime/device/rtl_engine.h"
#include "testsuite/rtl/firmware_target.h"

struct target {
	struct rtl_engine *engine;
	uint64_t header;
	bool blocked;
};

static bool is_ready(void *ctx)
{
	const struct target *t = ctx;

	return !t->blocked;
}

static void firmware_forget(void *ctx, const struct nfart_batch *b, uint64_t labels)
{
	(void)ctx;
	(void)b;
	(void)labels;
}

struct target *target_new(const struct nfart_image *im)
{
	struct rtl_options o = { .ready = is_ready, .sink = firmware_forget };
	struct target *t = calloc(1, sizeof *t);
	struct nfart_error e = { .status = NFART_OK };

	if (t == NULL)
		return NULL;
	o.ctx = t;
	t->engine = rtl_engine_open(im->fp.hardware, &o, &e);
	if (t->engine == NULL) {
		nfart_error_print(stderr, &e);
		free(t);
		return NULL;
	}
	if (rtl_engine_info(t->engine)->idle == 0)
		t->header = (uint64_t)1 << rtl_engine_info(t->engine)->op_lsb;
	return t;
}

void target_free(struct target *t)
{
	if (t == NULL)
		return;
	if (rtl_engine_why(t->engine) != NULL)
		fprintf(stderr, "%s\n", rtl_engine_why(t->engine));
	rtl_engine_close(t->engine);
	free(t);
}

bool target_read(struct target *t, uint32_t offset, uint32_t *value)
{
	return rtl_engine_read(t->engine, offset, value);
}

bool target_write(struct target *t, uint32_t offset, uint32_t value)
{
	return rtl_engine_write(t->engine, offset, value);
}

void target_batch(struct target *t)
{
	struct nfart_batch b = { .mask = 1 };

	b.time = rtl_engine_cycles(t->engine);
	b.header[0] = t->header;
	rtl_engine_batch(t->engine, &b);
}

void target_block(struct target *t, bool blocked)
{
	t->blocked = blocked;
}
