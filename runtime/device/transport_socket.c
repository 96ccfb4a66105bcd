/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * An engine in another process, behind a Unix socket (device_wire.h).
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "runtime/device/device_priv.h"
#include "runtime/device/device_wire.h"
#include "support/bits.h"
#include "support/clock.h"

enum { QUIET_NS = 20000000 };

struct socket_peer {
	int fd;
	uint32_t can; /* WIRE_HAS_… */
	struct device_room room; /* of the ring's memory; size 0: not asked for yet */
};

static bool socket_gone(struct device *d, const char *how)
{
	return device_fail(d, DEVICE_GONE, "the connection to the engine ended: %s", how);
}

/* Waits until the socket is ready for `events`, at most until `end`. */
static bool socket_wait(struct device *d, struct socket_peer *s, short events, uint64_t end)
{
	struct pollfd p = { .fd = s->fd, .events = events };
	uint64_t now = clock_nanoseconds();
	int n = 0;

	if (now < end)
		n = poll(&p, 1, (int)((end - now) / 1000000) + 1);
	if (n > 0 || (n < 0 && errno == EINTR))
		return true;
	return device_fail(d, DEVICE_HANGS, "the process behind the socket did not answer within "
			   "%u ms", (unsigned)d->o.timeout_ms);
}

static bool socket_send(struct device *d, const unsigned char *p, size_t n, uint64_t end)
{
	struct socket_peer *s = d->state;

	while (n != 0) {
		ssize_t sent = send(s->fd, p, n, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent < 0 && errno != EAGAIN && errno != EINTR)
			return socket_gone(d, strerror(errno));
		if (sent < 0 && !socket_wait(d, s, POLLOUT, end))
			return false;
		p += sent > 0 ? sent : 0;
		n -= sent > 0 ? (size_t)sent : 0;
	}
	return true;
}

static bool socket_receive(struct device *d, unsigned char *p, size_t n, uint64_t end)
{
	struct socket_peer *s = d->state;

	while (n != 0) {
		ssize_t got = recv(s->fd, p, n, MSG_DONTWAIT);
		if (got == 0)
			return socket_gone(d, "the other process has closed it");
		if (got < 0 && errno != EAGAIN && errno != EINTR)
			return socket_gone(d, strerror(errno));
		if (got < 0 && !socket_wait(d, s, POLLIN, end))
			return false;
		p += got > 0 ? got : 0;
		n -= got > 0 ? (size_t)got : 0;
	}
	return true;
}

/* Sends a request of n bytes and takes the answer's value. */
static bool socket_ask(struct device *d, const unsigned char *request, size_t n, uint32_t *value)
{
	uint64_t end = clock_nanoseconds() + (uint64_t)d->o.timeout_ms * 1000000;
	unsigned char answer[WIRE_ANSWER];
	char text[WIRE_MOST];
	uint32_t fault;

	if (!socket_send(d, request, n, end) || !socket_receive(d, answer, sizeof answer, end))
		return false;
	fault = get_le32(answer);
	*value = get_le32(answer + 4);
	if (fault == DEVICE_OK)
		return true;
	if ((fault != DEVICE_SYSTEM && fault < DEVICE_DEAD) || fault > DEVICE_GONE ||
	    *value == 0 || *value >= sizeof text)
		return socket_gone(d, "it is no 'nfactl serve'");
	if (!socket_receive(d, (unsigned char *)text, *value, end))
		return false;
	/* A text from elsewhere must not steer the terminal. */
	for (uint32_t i = 0; i < *value; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
	return device_fail(d, (enum device_fault)fault, "%.*s", (int)*value, text);
}

static bool socket_request(struct device *d, enum wire_what what, uint32_t offset, uint32_t value,
			   uint32_t *answer)
{
	unsigned char request[WIRE_REQUEST];

	put_le32(request, what);
	put_le32(request + 4, offset);
	put_le32(request + 8, value);
	return socket_ask(d, request, sizeof request, answer);
}

static bool socket_open(struct device *d, const char *where)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct socket_peer *s = calloc(1, sizeof *s);
	struct timespec quiet = { .tv_nsec = QUIET_NS };
	uint64_t end = clock_nanoseconds() + (uint64_t)d->o.timeout_ms * 1000000;
	int error = -1;

	if (s == NULL)
		return device_fail(d, DEVICE_SYSTEM, "out of memory");
	d->state = s;
	s->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (strlen(where) >= sizeof a.sun_path)
		return device_fail(d, DEVICE_SYSTEM, "the path of the socket is too long: %s",
				   where);
	memcpy(a.sun_path, where, strlen(where) + 1);
	/* The server may be about to come. */
	while (s->fd >= 0 && (error = connect(s->fd, (struct sockaddr *)&a, sizeof a)) != 0 &&
	       (errno == ENOENT || errno == ECONNREFUSED) && clock_nanoseconds() < end)
		nanosleep(&quiet, NULL);
	if (error != 0)
		return device_fail(d, DEVICE_SYSTEM, "can't connect to %s: %s", where,
				   strerror(errno));
	return socket_request(d, WIRE_HELLO, 0, WIRE_VERSION, &s->can);
}

static void socket_close(struct device *d)
{
	struct socket_peer *s = d->state;

	if (s != NULL && s->fd >= 0)
		close(s->fd);
	free(s);
}

static bool socket_lock(struct device *d, enum device_use use)
{
	uint32_t none;

	return socket_request(d, WIRE_LOCK, 0, use, &none);
}

static void socket_unlock(struct device *d)
{
	uint32_t none;

	socket_request(d, WIRE_UNLOCK, 0, DEVICE_USE_REGISTERS, &none);
}

static bool socket_read(struct device *d, uint32_t offset, uint32_t *value)
{
	return socket_request(d, WIRE_READ, offset, 0, value);
}

static bool socket_write(struct device *d, uint32_t offset, uint32_t value)
{
	uint32_t none;

	return socket_request(d, WIRE_WRITE, offset, value, &none);
}

static long socket_stream(struct device *d, uint64_t *words, size_t n)
{
	struct socket_peer *s = d->state;
	unsigned char bytes[8 * WIRE_MOST];
	uint64_t end = clock_nanoseconds() + (uint64_t)d->o.timeout_ms * 1000000;
	uint32_t most = (uint32_t)(n < WIRE_MOST ? n : WIRE_MOST), got;
	struct timespec quiet = { .tv_nsec = QUIET_NS };

	if ((s->can & WIRE_HAS_STREAM) == 0) {
		device_fail(d, DEVICE_SYSTEM, "the served device brings no output");
		return -1;
	}
	if (!socket_request(d, WIRE_STREAM, 0, most, &got))
		return -1;
	if (got > most) {
		socket_gone(d, "it is no 'nfactl serve'");
		return -1;
	}
	if (!socket_receive(d, bytes, 8 * (size_t)got, end))
		return -1;
	for (uint32_t i = 0; i < got; i++)
		words[i] = get_le64(bytes + 8 * i);
	if (got == 0)
		nanosleep(&quiet, NULL);
	return got;
}

static bool socket_has_tap(const struct device *d)
{
	const struct socket_peer *s = d->state;

	return (s->can & WIRE_HAS_TAP) != 0;
}

static bool socket_inject(struct device *d, const struct nfart_batch *b, uint32_t cycles)
{
	unsigned char request[WIRE_REQUEST + 8 * WIRE_WORDS], *at = request + WIRE_REQUEST;
	uint32_t none;

	if (!socket_has_tap(d))
		return device_fail(d, DEVICE_SYSTEM, "the served device has no tap to put "
				   "batches at");
	if (b == NULL)
		return socket_request(d, WIRE_IDLE, cycles, 0, &none);
	put_le64(at, b->time);
	put_le64(at + 8, b->mask);
	at += 16;
	for (uint64_t m = b->mask; m != 0; m &= m - 1, at += 8)
		put_le64(at, b->header[__builtin_ctzll(m)]);
	for (size_t i = 0; i < bits_count(b->mask) * (size_t)b->payload_words; i++, at += 8)
		put_le64(at, b->payload[i]);
	put_le32(request, WIRE_BATCH);
	put_le32(request + 4, b->payload_words);
	put_le32(request + 8, (uint32_t)((size_t)(at - request - WIRE_REQUEST) / 8));
	return socket_ask(d, request, (size_t)(at - request), &none);
}

static bool socket_room(struct device *d, struct device_room *room)
{
	struct socket_peer *s = d->state;
	uint32_t pages, first;

	if ((s->can & WIRE_HAS_MEMORY) != 0 && s->room.size == 0) {
		if (!socket_request(d, WIRE_ROOM, 0, 0, &pages) ||
		    !socket_request(d, WIRE_ROOM, 1, 0, &first))
			return false;
		s->room.base = (uint64_t)first * WIRE_PAGE;
		s->room.size = (uint64_t)pages * WIRE_PAGE;
		if (s->room.size > WIRE_ROOM_MOST)
			return socket_gone(d, "it is no 'nfactl serve'");
	}
	*room = s->room;
	return true;
}

static bool socket_memory(struct device *d, uint64_t address, void *p, size_t n)
{
	uint64_t end = clock_nanoseconds() + (uint64_t)d->o.timeout_ms * 1000000;
	struct device_room room;
	uint32_t got;

	if (!socket_room(d, &room) ||
	    !socket_request(d, WIRE_MEMORY, (uint32_t)((address - room.base) / WIRE_BEAT),
			    (uint32_t)(n / 8), &got))
		return false;
	if (got != n / 8)
		return socket_gone(d, "it is no 'nfactl serve'");
	return socket_receive(d, p, n, end);
}

const struct device_transport transport_socket = {
	.name = "socket",
	.form = "socket:PATH",
	.about = "an engine in another process: 'nfamodel --serve' or 'nfactl serve'",
	.open = socket_open,
	.close = socket_close,
	.lock = socket_lock,
	.unlock = socket_unlock,
	.read = socket_read,
	.write = socket_write,
	.stream = socket_stream,
	.room = socket_room,
	.memory = socket_memory,
	.has_tap = socket_has_tap,
	.inject = socket_inject,
};
