/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decompress.h: an input (input.h) whose bytes come out of a compressed file, pipe or memory. Memory is
 * that of one decompressor and two buffers, whatever the input grows to.
 */
#ifndef NFART_TRACE_DECOMPRESS_H
#define NFART_TRACE_DECOMPRESS_H

#include "runtime/trace/input.h"

/* Looks at the first bytes of `in`, of which none is taken. If they are those of a compression format, what
 * comes from `in` from here on is the content: no longer seekable, but decompress_rewind() may do. False:
 * out of memory, or the first bytes can't be read; see in->error. */
bool decompress_open(struct input *in);
void decompress_close(struct input *in);

/* Reads for input_more() from a compressed input: decompresses the next bytes, n at most, to `out`, which
 * is right after the bytes that `in` has. False: none came (the end, or an error). */
bool decompress_more(struct input *in, unsigned char *out, size_t n);

/* Compressed bytes used so far. */
uint64_t decompress_used(const struct input *in);

/* Can decompress_rewind() be used: a file, or memory? */
bool decompress_can_rewind(const struct input *in);

/* Begins again, and discards the content up to `offset`. False: see in->error. */
bool decompress_rewind(struct input *in, uint64_t offset);

#endif
