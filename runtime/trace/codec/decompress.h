/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * decompress.h: an input (input.h) whose bytes come out of a compressed file, pipe or memory. It
 * takes the memory of one decompressor and two buffers, however long the input is.
 */
#ifndef NFART_TRACE_DECOMPRESS_H
#define NFART_TRACE_DECOMPRESS_H

#include "runtime/trace/input.h"

/* Looks at the first bytes of `in`, but takes none. If they are those of a compression format, `in`
 * delivers the decompressed content from here on. It is then no longer seekable, but
 * decompress_rewind() may do instead. False: out of memory, or the first bytes can't be read; see
 * in->error. */
bool decompress_open(struct input *in);
void decompress_close(struct input *in);

/* Decompresses the next bytes, n at most, to `out`, and adds them to those of `in`: `out` must be
 * right after these. Only input_more() calls it. False: no bytes came, because the trace has ended
 * or because of an error. */
bool decompress_more(struct input *in, unsigned char *out, size_t n);

/* How many compressed bytes were used so far. */
uint64_t decompress_used(const struct input *in);

/* Can decompress_rewind() be used? It can for a file and for memory, but not for a pipe. */
bool decompress_can_rewind(const struct input *in);

/* Decompresses again from the beginning, and takes all bytes before `offset`. False: see
 * in->error. */
bool decompress_rewind(struct input *in, uint64_t offset);

#endif
