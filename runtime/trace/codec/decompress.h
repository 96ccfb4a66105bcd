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

/* Reads for input_more() from a compressed input: decompresses the next bytes, n at most, to `out`,
 * which is right after the bytes that `in` has. False: none came; it is the end, or there was an
 * error. */
bool decompress_more(struct input *in, unsigned char *out, size_t n);

/* How many compressed bytes were used so far. */
uint64_t decompress_used(const struct input *in);

/* Can decompress_rewind() be used? It can for a file and for memory, but not for a pipe. */
bool decompress_can_rewind(const struct input *in);

/* Begins again, and discards the content before `offset`. False: see in->error. */
bool decompress_rewind(struct input *in, uint64_t offset);

#endif
