/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/reader/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct recording {
	struct nfart_writer *writer;
};

static bool record_block(void *ctx, const struct message_block *k, struct nfart_error *e)
{
	struct recording *r = ctx;

	for (size_t i = 0; i < k->n; i++) {
		struct nfart_batch b;

		b.time = k->first + i;
		b.lost = 0;
		b.damaged = false;
		b.when = 0;
		b.payload_words = 0;
		b.mask = (uint64_t)1 << k->slot[i];
		b.header[k->slot[i]] = k->header[i];
		if (!nfart_writer_put(r->writer, &b, NULL)) {
			nfart_fail(e, NFART_SYSTEM, "can't write the trace: %s", strerror(errno));
			return false;
		}
	}
	return true;
}

static struct nfart_writer *begin_trace(const struct nfart_proto *p, FILE *f, struct nfart_error *e)
{
	struct nfart_writer_options o = { .format = NFART_FORMAT_COMPACT };

	return nfart_writer_new(f, p, &o, e);
}

struct recording *recording_new(struct messages *x, const struct nfart_proto *p, FILE *f,
				struct nfart_error *e)
{
	struct recording *r = calloc(1, sizeof *r);

	if (r == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	r->writer = begin_trace(p, f, e);
	if (r->writer == NULL) {
		free(r);
		return NULL;
	}
	messages_add(x, record_block, NULL, r);
	return r;
}

enum nfart_status recording_again(struct recording *r, const struct nfart_proto *p, FILE *f,
				  struct nfart_error *e)
{
	r->writer = begin_trace(p, f, e);
	return r->writer != NULL ? NFART_OK : e->status;
}

enum nfart_status recording_end(struct recording *r, struct nfart_error *e)
{
	enum nfart_status status = nfart_writer_close(r->writer, e);

	r->writer = NULL;
	return status;
}

enum nfart_status recording_close(struct recording *r, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	if (r != NULL && r->writer != NULL)
		status = nfart_writer_close(r->writer, e);
	free(r);
	return status;
}
