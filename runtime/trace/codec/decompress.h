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

/* The part of input_more(): puts what comes next, n bytes at most, at `out`, after the bytes that `in` has. */
bool decompress_more(struct input *in, unsigned char *out, size_t n);

/* Compressed bytes used so far. */
uint64_t decompress_used(const struct input *in);

/* Can decompress_rewind() be used: a file, or memory? */
bool decompress_can_rewind(const struct input *in);

/* Begins again, and discards the content up to `offset`. False: see in->error. */
bool decompress_rewind(struct input *in, uint64_t offset);

#endif
