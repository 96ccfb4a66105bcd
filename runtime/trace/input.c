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

/* LINE is a cache line. The kernel copies to the beginning of one faster than to most other places:
 * to one 16 bytes behind it, where malloc() puts large buffers, at two thirds of the speed. */
enum { FIRST_CAP = 1 << 18, LITTLE = 1 << 12, LINE = 64, FOLLOW_NS = 50000000 };

bool input_open(struct input *in, const char *path)
{
	struct stat st;
	off_t here;

	memset(in, 0, sizeof *in);
	in->from.own = path != NULL && strcmp(path, "-") != 0;
	in->from.fd = in->from.own ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	if (in->from.fd < 0 || fstat(in->from.fd, &st) != 0) {
		in->error = errno;
		return false;
	}
	here = lseek(in->from.fd, 0, SEEK_CUR);
	in->from.pipe = !S_ISREG(st.st_mode) || here < 0;
	if (!in->from.pipe) {
		in->seekable = true;
		in->from.base = (uint64_t)here;
		in->size = st.st_size > here ? (uint64_t)(st.st_size - here) : 0;
	}
	return true;
}

void input_follow(struct input *in, const char *path, const volatile sig_atomic_t *stop)
{
	if (in->from.pipe)
		return;
	in->follow.stop = stop;
	in->follow.path = in->from.own ? path : NULL;
	in->size = 0; /* it is not known */
}

void input_memory(struct input *in, const void *p, size_t n)
{
	memset(in, 0, sizeof *in);
	in->from.fd = -1;
	in->from.memory = in->at = p;
	in->n = n;
	in->size = n;
	in->seekable = in->ended = true;
}

void input_share(struct input *in, const struct input *of)
{
	if (of->from.fd < 0) {
		input_memory(in, of->from.memory, of->size);
		return;
	}
	memset(in, 0, sizeof *in);
	in->from.fd = of->from.fd;
	in->from.shared = in->seekable = true;
	in->from.base = of->from.base;
	in->size = of->size;
}

void input_close(struct input *in)
{
	if (in->from.own && in->from.fd >= 0)
		close(in->from.fd);
	mapped_close(&in->mapped);
	decompress_close(in);
	free(in->buffer.at);
	memset(in, 0, sizeof *in);
	in->from.fd = -1;
}

void input_lend(struct input *in, unsigned char *buffer, size_t cap)
{
	free(in->buffer.at);
	in->at = in->buffer.at = buffer;
	in->buffer.cap = cap;
	in->n = 0;
	in->buffer.hold = true;
}

unsigned char *input_take_back(struct input *in, size_t *cap)
{
	unsigned char *buffer = in->buffer.at;

	*cap = in->buffer.cap;
	in->at = in->buffer.at = NULL;
	in->buffer.cap = in->n = 0;
	in->buffer.hold = false;
	return buffer;
}

/* Doubles the buffer. Its bytes keep their places. False: see in->error. */
static bool input_widen(struct input *in)
{
	size_t cap = in->buffer.cap == 0 ? FIRST_CAP : in->buffer.cap * 2;
	size_t before = in->buffer.at == NULL ? 0 : (size_t)(in->at - in->buffer.at);
	unsigned char *p = in->buffer.cap >= INPUT_MOST ? NULL : aligned_alloc(LINE, cap);

	if (p == NULL) {
		in->error = ENOMEM;
		return false;
	}
	if (in->buffer.at != NULL)
		memcpy(p, in->buffer.at, before + in->n);
	free(in->buffer.at);
	in->buffer.cap = cap;
	in->buffer.at = p;
	in->at = p + before;
	return true;
}

/* Makes free space in the buffer after the bytes at in->at. It moves these bytes to the start of
 * the buffer, so that they end at a cache line, or lets the buffer grow. False: see in->error. */
static bool make_room(struct input *in)
{
	size_t before = in->buffer.at == NULL ? 0 : (size_t)(in->at - in->buffer.at);

	if (in->buffer.cap - before - in->n >= in->buffer.cap / 4 && in->buffer.cap != 0)
		return true;
	if (before != 0 && !in->buffer.hold) {
		before = in->n + LINE <= in->buffer.cap ? (0 - in->n) % LINE : 0;
		memmove(in->buffer.at + before, in->at, in->n);
		in->at = in->buffer.at + before;
	}
	return before + in->n < in->buffer.cap || input_widen(in);
}

/* Returns how many bytes to ask for: as many as fit into the buffer, but few of those that come
 * after the offset in->until. */
static size_t to_read(const struct input *in)
{
	size_t room = in->buffer.cap - (size_t)(in->at - in->buffer.at) - in->n;
	uint64_t here = in->offset + in->n,
		 wanted = in->buffer.until > here ? in->buffer.until - here : LITTLE;

	if (in->buffer.until != 0 && wanted < room)
		return (size_t)wanted;
	return room < LINE ? room : room - room % LINE;
}

/* Lets the caller of the reader do what it does before a read that may block. False: see
 * in->error. */
static bool before_blocking(struct input *in)
{
	if (in->wait.call != NULL)
		in->wait.call(in->wait.ctx);
	return in->error == 0;
}

static ssize_t read_once(struct input *in, void *p, size_t n)
{
	ssize_t got;

	if (in->from.shared)
		got = pread(in->from.fd, p, n, (off_t)(in->from.base + in->offset + in->n));
	else
		got = read(in->from.fd, p, n);
	if (got < 0)
		in->error = errno;
	return got;
}

/* Says why no more will be written to the followed file; NULL: more may be. */
static const char *find_end(const struct input *in)
{
	struct stat open, named;

	if (fstat(in->from.fd, &open) != 0)
		return NULL;
	if (open.st_size >= 0 && (uint64_t)open.st_size < in->from.base + in->offset + in->n)
		return "the file was made shorter while it was followed";
	if (in->follow.path == NULL)
		return NULL;
	if (stat(in->follow.path, &named) != 0)
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

	while ((got = read_once(in, p, n)) == 0 && !in->follow.stopped && end == NULL) {
		in->follow.stopped = *in->follow.stop != 0;
		end = find_end(in);
		if (in->follow.stopped || end != NULL)
			continue;
		if (!before_blocking(in))
			return -1;
		nanosleep(&pause, NULL);
	}
	if (got == 0 && !in->follow.stopped)
		in->damage = end;
	return got;
}

ssize_t input_read(struct input *in, void *p, size_t n)
{
	if (in->from.pipe && !before_blocking(in))
		return -1;
	if (in->error != 0)
		return -1;
	return in->follow.stop != NULL ? input_wait_for_more(in, p, n) : read_once(in, p, n);
}

bool input_more(struct input *in)
{
	unsigned char *end;
	ssize_t got;

	if (in->ended || in->error != 0 || !make_room(in))
		return false;
	end = in->buffer.at + (in->at - in->buffer.at) + in->n;
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
	if (newline == NULL && (in->damage != NULL || in->follow.stopped))
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
	if (in->from.fd < 0) {
		if (offset > in->size)
			offset = in->size;
		in->at = in->from.memory + offset;
		in->n = in->size - offset;
		in->offset = offset;
		return true;
	}
	if (!in->from.shared && lseek(in->from.fd, (off_t)(in->from.base + offset), SEEK_SET) < 0) {
		in->error = errno;
		return false;
	}
	in->at = in->buffer.at;
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
	return mapped_view(&in->mapped, in->from.fd, in->from.base + in->offset, n,
			   in->size - in->offset);
}

void input_skip(struct input *in, size_t n)
{
	in->taken += n;
	/* From here on reads name their position, so the file position of fd need not be moved. */
	in->from.shared = true;
	input_seek(in, in->offset + n);
}
