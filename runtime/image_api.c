/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The functions of nfart.h on images. Images are decoded by the contract's code
 * (contract/image/image.h).
 */
#include <assert.h>

#include "contract/image/image.h"
#include "include/nfart.h"

static_assert((int)NFART_SLOTS == (int)PROTO_SLOTS, "a batch has room for every slot");

struct nfart_image *nfart_image_load(const void *p, size_t n, const char *name,
				     struct nfart_error *e)
{
	return image_load(p, n, name, e);
}

struct nfart_image *nfart_image_open(const char *path, struct nfart_error *e)
{
	return image_open(path, e);
}

void nfart_image_free(struct nfart_image *im)
{
	image_free(im);
}

const struct nfart_proto *nfart_image_proto(const struct nfart_image *im)
{
	return im->proto;
}

uint32_t nfart_image_nlabels(const struct nfart_image *im)
{
	return im->labels.n;
}

const char *const *nfart_image_labels(const struct nfart_image *im)
{
	return im->labels.names;
}

uint64_t nfart_image_window(const struct nfart_image *im)
{
	return im->window.before;
}

const char *nfart_image_key(const struct nfart_image *im)
{
	return im->substreams.by_field ? im->substreams.field : NULL;
}

uint64_t nfart_image_tick(const struct nfart_image *im)
{
	return im->stream.tick;
}

uint64_t nfart_image_window_after(const struct nfart_image *im)
{
	return im->window.after;
}

uint64_t nfart_image_limit(const struct nfart_image *im)
{
	return im->stream.limit;
}

uint32_t nfart_image_nstates(const struct nfart_image *im)
{
	return im->nfa.nstates;
}

uint32_t nfart_image_payload(const struct nfart_image *im)
{
	return im->alphabet.payload_words;
}
