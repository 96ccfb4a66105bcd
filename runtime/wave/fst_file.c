/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The bytes of an FST: in the user's file, in memory, or in a temporary file.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/trace/codec/decompress.h"
#include "runtime/wave/fst.h"
#include "support/buf.h"

enum { WRAPPER_HEAD = 8 };

/* ---- bytes of the file ---- */

bool fst_read(struct fst *f, uint64_t at, void *p, size_t n, struct nfart_error *e)
{
	size_t done = 0;

	if (at > f->file.size || n > f->file.size - at)
		return fst_fail(f, e, at, "the file ends here, but a part should go on");
	if (f->file.fd < 0) {
		memcpy(p, f->file.memory + at, n);
		return true;
	}
	while (done < n) {
		ssize_t got = pread(f->file.fd, (char *)p + done, n - done,
				    (off_t)(f->file.base + at + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0)
			return fst_fail(f, e, at, "the file became shorter while it was read");
		if (got < 0) {
			f->w->in->error = errno;
			return wave_fail_input(f->w, e);
		}
		done += (size_t)got;
	}
	return true;
}

unsigned char *fst_load(struct fst *f, uint64_t at, uint64_t n, struct nfart_error *e)
{
	unsigned char *p;

	if (at > f->file.size || n > f->file.size - at) {
		fst_fail(f, e, at, "the file ends here, but a part should go on");
		return NULL;
	}
	if (n > WAVE_MOST_BLOCK) {
		fst_fail(f, e, at, "a part of more than 1 GiB");
		return NULL;
	}
	p = malloc((size_t)n + 1);
	if (p == NULL) {
		wave_fail_memory(f->w, e);
		return NULL;
	}
	if (fst_read(f, at, p, (size_t)n, e))
		return p;
	free(p);
	return NULL;
}

/* Writes n bytes to a file. */
static bool write_all(struct fst *f, int fd, const unsigned char *p, size_t n,
		      struct nfart_error *e)
{
	while (n != 0) {
		ssize_t done = write(fd, p, n);
		if (done < 0 && errno != EINTR) {
			nfart_fail(e, NFART_SYSTEM, "can't write a temporary file: %s",
				   strerror(errno));
			return false;
		}
		if (done > 0) {
			p += done;
			n -= (size_t)done;
			f->file.size += (uint64_t)done;
		}
	}
	return true;
}

/* Opens a temporary file that has no name. -1: *e says why. */
static int open_temporary(struct nfart_error *e)
{
	const char *folder = getenv("TMPDIR");
	struct buf path = { 0 };
	int fd = -1;

	buf_addf(&path, "%s/nfacc-wave.XXXXXX", folder == NULL || *folder == 0 ? "/tmp" : folder);
	if (!path.failed)
		fd = mkstemp(path.at);
	if (fd < 0)
		nfart_fail(e, NFART_SYSTEM, "can't make a temporary file: %s", strerror(errno));
	else
		unlink(path.at);
	buf_free(&path);
	return fd;
}

/* Puts what comes out of the input in a temporary file: parts of an FST are read in any order,
 * which a pipe or a compressed file can't do. */
static bool spool(struct fst *f, struct nfart_error *e)
{
	struct input *in = f->w->in;
	int fd = open_temporary(e);

	if (fd < 0)
		return false;
	f->file.fd = fd;
	f->file.own = true;
	do {
		if (!write_all(f, fd, in->at, in->n, e))
			return false;
		input_take(in, in->n);
	} while (input_more(in));
	if (in->error != 0)
		return wave_fail_input(f->w, e);
	if (in->damage != NULL) {
		wave_note(f->w, WAVE_NOTE_CUT, 0, in->damage, strlen(in->damage));
		f->w->damaged = true;
	}
	return true;
}

/* ---- wrapper ---- */

bool fst_unwrap(struct fst *f, const struct fst_block *b, struct nfart_error *e)
{
	struct fst inner = { .w = f->w, .file.fd = -1 };
	struct input in;
	unsigned char *packed;
	bool ok;

	if (b->n < WRAPPER_HEAD)
		return fst_fail(f, e, b->at, "a wrapper is too short");
	/* The packed bytes are loaded as one: such files are small, as writers do this at the end
	 * of a run to what is no longer open. */
	packed = fst_load(f, b->at + WRAPPER_HEAD, b->n - WRAPPER_HEAD, e);
	if (packed == NULL)
		return false;
	input_memory(&in, packed, (size_t)(b->n - WRAPPER_HEAD));
	inner.file.fd = open_temporary(e);
	ok = inner.file.fd >= 0 && (decompress_open(&in) || wave_fail_memory(f->w, e));
	while (ok && (in.n != 0 || input_more(&in))) {
		ok = write_all(&inner, inner.file.fd, in.at, in.n, e);
		input_take(&in, in.n);
	}
	if (ok && in.error == ENOMEM)
		ok = wave_fail_memory(f->w, e);
	else if (ok && (in.error != 0 || in.damage != NULL))
		ok = fst_fail(f, e, b->at, "what is packed in the wrapper is damaged");
	input_close(&in);
	free(packed);
	if (f->file.own)
		close(f->file.fd);
	f->file.fd = inner.file.fd;
	f->file.own = inner.file.fd >= 0;
	f->file.base = 0;
	f->file.size = inner.file.size;
	f->blocks.n = 0;
	return ok;
}

/* ---- opening ---- */

bool fst_open_file(struct fst *f, struct nfart_error *e)
{
	const struct input *in = f->w->in;

	f->file.fd = -1;
	if (in->from.fd < 0 && in->decompressor == NULL) {
		f->file.memory = in->from.memory;
		f->file.size = in->size;
		return true;
	}
	if (!in->seekable)
		return spool(f, e);
	f->file.fd = in->from.fd;
	f->file.base = in->from.base;
	f->file.size = in->size;
	return true;
}

void fst_close_file(struct fst *f)
{
	if (f->file.own && f->file.fd >= 0)
		close(f->file.fd);
}
