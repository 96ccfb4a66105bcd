/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/trace/codec/decompress.h"

enum { FIRST_CAP = 1 << 18, LITTLE = 1 << 12, FOLLOW_NS = 50000000 };

bool input_open(struct input *in, const char *path)
{
	struct stat st;
	off_t here;

	memset(in, 0, sizeof *in);
	in->own = path != NULL && strcmp(path, "-") != 0;
	in->fd = in->own ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (in->fd < 0 || fstat(in->fd, &st) != 0) {
		in->error = errno;
		return false;
	}
	here = lseek(in->fd, 0, SEEK_CUR);
	in->pipe = !S_ISREG(st.st_mode) || here < 0;
	if (!in->pipe) {
		in->seekable = true;
		in->base = (uint64_t)here;
		in->size = st.st_size > here ? (uint64_t)(st.st_size - here) : 0;
	}
	return true;
}

void input_follow(struct input *in, const char *path, const volatile sig_atomic_t *stop)
{
	if (in->pipe)
		return;
	in->follow = stop;
	in->path = in->own ? path : NULL;
	in->size = 0; /* it is not known */
}

void input_memory(struct input *in, const void *p, size_t n)
{
	memset(in, 0, sizeof *in);
	in->fd = -1;
	in->memory = in->at = p;
	in->n = n;
	in->size = n;
	in->seekable = in->ended = true;
}

void input_share(struct input *in, const struct input *of)
{
	if (of->fd < 0) {
		input_memory(in, of->memory, of->size);
		return;
	}
	memset(in, 0, sizeof *in);
	in->fd = of->fd;
	in->shared = in->seekable = true;
	in->base = of->base;
	in->size = of->size;
}

void input_close(struct input *in)
{
	if (in->own && in->fd >= 0)
		close(in->fd);
	mapped_close(&in->mapped);
	decompress_close(in);
	free(in->buffer);
	memset(in, 0, sizeof *in);
	in->fd = -1;
}

void input_lend(struct input *in, unsigned char *buffer, size_t cap)
{
	free(in->buffer);
	in->at = in->buffer = buffer;
	in->cap = cap;
	in->n = 0;
	in->hold = true;
}

unsigned char *input_take_back(struct input *in, size_t *cap)
{
	unsigned char *buffer = in->buffer;

	*cap = in->cap;
	in->at = in->buffer = NULL;
	in->cap = in->n = 0;
	in->hold = false;
	return buffer;
}

/* Makes free space in the buffer after the bytes at in->at. It moves these bytes to the start of
 * the buffer, or lets the buffer grow. False: see in->error. */
static bool make_room(struct input *in)
{
	size_t before = in->buffer == NULL ? 0 : (size_t)(in->at - in->buffer);
	unsigned char *p;

	if (in->cap - before - in->n >= in->cap / 4 && in->cap != 0)
		return true;
	if (before != 0 && !in->hold) {
		memmove(in->buffer, in->at, in->n);
		in->at = in->buffer;
		before = 0;
	}
	if (before + in->n < in->cap)
		return true;
	if (in->cap >= INPUT_MOST) {
		in->error = ENOMEM;
		return false;
	}
	p = realloc(in->buffer, in->cap == 0 ? FIRST_CAP : in->cap * 2);
	if (p == NULL) {
		in->error = ENOMEM;
		return false;
	}
	in->cap = in->cap == 0 ? FIRST_CAP : in->cap * 2;
	in->buffer = p;
	in->at = p + before;
	return true;
}

/* Returns how many bytes to ask for: as many as fit into the buffer, but few of those that come
 * after the offset in->until. */
static size_t to_read(const struct input *in)
{
	size_t room = in->cap - (size_t)(in->at - in->buffer) - in->n;
	uint64_t here = in->offset + in->n, wanted = in->until > here ? in->until - here : LITTLE;

	return in->until != 0 && wanted < room ? (size_t)wanted : room;
}

/* Lets the caller of the reader do what it does before a read that may block. False: see
 * in->error. */
static bool before_blocking(struct input *in)
{
	if (in->wait != NULL)
		in->wait(in->wait_ctx);
	return in->error == 0;
}

static ssize_t read_once(struct input *in, void *p, size_t n)
{
	ssize_t got;

	if (in->shared)
		got = pread(in->fd, p, n, (off_t)(in->base + in->offset + in->n));
	else
		got = read(in->fd, p, n);
	if (got < 0)
		in->error = errno;
	return got;
}

/* Says why no more will be written to the followed file; NULL: more may be. */
static const char *find_end(const struct input *in)
{
	struct stat open, named;

	if (fstat(in->fd, &open) != 0)
		return NULL;
	if (open.st_size >= 0 && (uint64_t)open.st_size < in->base + in->offset + in->n)
		return "the file was made shorter while it was followed";
	if (in->path == NULL)
		return NULL;
	if (stat(in->path, &named) != 0)
		return errno == ENOENT ? "the file was removed while it was followed" : NULL;
	return named.st_dev != open.st_dev || named.st_ino != open.st_ino
		       ? "the file was replaced while it was followed" : NULL;
}

/* Reads from a file that may grow. Returns what input_read() does.
 *
 * It asks the file again and again, since inotify(7) does not tell what another machine writes to a
 * shared file system. A file that was replaced is read to its end first: whoever replaced it may
 * have written to it before. */
static ssize_t input_wait_for_more(struct input *in, void *p, size_t n)
{
	const struct timespec pause = { .tv_nsec = FOLLOW_NS };
	const char *end = NULL;
	ssize_t got;

	while ((got = read_once(in, p, n)) == 0 && !in->stopped && end == NULL) {
		in->stopped = *in->follow != 0;
		end = find_end(in);
		if (in->stopped || end != NULL)
			continue;
		if (!before_blocking(in))
			return -1;
		nanosleep(&pause, NULL);
	}
	if (got == 0 && !in->stopped)
		in->damage = end;
	return got;
}

ssize_t input_read(struct input *in, void *p, size_t n)
{
	if (in->pipe && !before_blocking(in))
		return -1;
	if (in->error != 0)
		return -1;
	return in->follow != NULL ? input_wait_for_more(in, p, n) : read_once(in, p, n);
}

bool input_more(struct input *in)
{
	unsigned char *end;
	ssize_t got;

	if (in->ended || in->error != 0 || !make_room(in))
		return false;
	end = in->buffer + (in->at - in->buffer) + in->n;
	if (in->decompressor != NULL)
		return decompress_more(in, end, to_read(in));
	got = input_read(in, end, to_read(in));
	if (got == 0)
		in->ended = true;
	else if (got > 0)
		in->n += (size_t)got;
	return got > 0;
}

int input_line(struct input *in, const char **line, size_t *n)
{
	const unsigned char *newline = NULL;
	size_t seen = 0;

	do {
		if (in->n > seen)
			newline = memchr(in->at + seen, '\n', in->n - seen);
		seen = newline != NULL ? (size_t)(newline - in->at) : in->n;
		if (seen > INPUT_MOST_LINE)
			in->error = EFBIG;
	} while (newline == NULL && in->error == 0 && input_more(in));
	if (in->error != 0)
		return -1;
	if (newline == NULL && (in->damage != NULL || in->stopped))
		input_take(in, in->n);
	if (newline == NULL && in->n == 0)
		return 0;
	*line = (const char *)in->at;
	*n = seen;
	input_take(in, newline != NULL ? seen + 1 : seen);
	return 1;
}

bool input_can_seek(const struct input *in)
{
	return in->seekable || decompress_can_rewind(in);
}

uint64_t input_used(const struct input *in)
{
	return in->decompressor != NULL ? decompress_used(in) : in->taken;
}

bool input_seek(struct input *in, uint64_t offset)
{
	if (in->decompressor != NULL)
		return decompress_rewind(in, offset);
	if (in->fd < 0) {
		if (offset > in->size)
			offset = in->size;
		in->at = in->memory + offset;
		in->n = in->size - offset;
		in->offset = offset;
		return true;
	}
	if (!in->shared && lseek(in->fd, (off_t)(in->base + offset), SEEK_SET) < 0) {
		in->error = errno;
		return false;
	}
	in->at = in->buffer;
	in->n = 0;
	in->offset = offset;
	in->ended = false;
	return true;
}

const unsigned char *input_view(struct input *in, size_t n)
{
	if (in->mapped.guard == NULL || in->error != 0 || in->offset > in->size ||
	    in->size - in->offset < n)
		return NULL;
	return mapped_view(&in->mapped, in->fd, in->base + in->offset, n);
}

void input_skip(struct input *in, size_t n)
{
	in->taken += n;
	/* From here on reads name their position, so the file position of fd need not be moved. */
	in->shared = true;
	input_seek(in, in->offset + n);
}
