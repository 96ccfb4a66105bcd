/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Serves a device to other processes over a Unix socket (device_wire.h). One thread serves all
 * connections in turn, and waits for none: a request that is not complete stays in the buffer of
 * its connection, and a connection that does not take its answer is closed.
 */
#define _GNU_SOURCE /* accept4() */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "runtime/device/device_priv.h"
#include "runtime/device/device_wire.h"
#include "support/bits.h"
#include "support/interrupt.h"

enum { MOST_CLIENTS = 16, POLL_MS = 200, CLIENT_BYTES = WIRE_REQUEST + 8 * WIRE_WORDS };

struct client {
	int fd;          /* -1: the place is free */
	bool holds[2];   /* [device_use] */
	size_t have;     /* bytes in `in` */
	unsigned char in[CLIENT_BYTES];
};

struct server {
	struct device *device;
	int fd;
	struct client clients[MOST_CLIENTS];
};

static void client_close(struct client *c)
{
	if (c->fd >= 0)
		close(c->fd);
	memset(c, 0, sizeof *c);
	c->fd = -1;
}

static void client_answer(struct client *c, enum device_fault fault, uint32_t value,
			  const unsigned char *more, size_t n)
{
	unsigned char answer[WIRE_ANSWER + 8 * WIRE_MOST];

	put_le32(answer, fault);
	put_le32(answer + 4, value);
	if (n != 0)
		memcpy(answer + WIRE_ANSWER, more, n);
	if (send(c->fd, answer, WIRE_ANSWER + n, MSG_NOSIGNAL | MSG_DONTWAIT) !=
	    (ssize_t)(WIRE_ANSWER + n))
		client_close(c);
}

/* Answers what the device's fault is, and forgets it: the next request may do better. */
static void client_fault(struct server *s, struct client *c)
{
	struct device_error e = s->device->error;
	size_t n = strlen(e.what) < WIRE_MOST ? strlen(e.what) : WIRE_MOST - 1;

	s->device->error.fault = DEVICE_OK;
	client_answer(c, e.fault, (uint32_t)n, (const unsigned char *)e.what, n);
}

static bool serve_lock(struct server *s, struct client *c, uint32_t use)
{
	if (use > DEVICE_USE_STREAM)
		return device_fail(s->device, DEVICE_REFUSED, "there is no such lock");
	for (int i = 0; i < MOST_CLIENTS; i++)
		if (&s->clients[i] != c && s->clients[i].holds[use])
			return device_fail(s->device, DEVICE_BUSY, use == DEVICE_USE_STREAM ?
					   "another process reads the engine's output" :
					   "another process drives the engine");
	c->holds[use] = true;
	return true;
}

static void serve_stream(struct server *s, struct client *c, uint32_t most)
{
	uint64_t words[WIRE_MOST];
	unsigned char bytes[8 * WIRE_MOST];
	long n = device_stream(s->device, words, most < WIRE_MOST ? most : WIRE_MOST);

	if (n < 0) {
		device_fail(s->device, DEVICE_GONE, "the output has ended");
		client_fault(s, c);
		return;
	}
	for (long i = 0; i < n; i++)
		put_le64(bytes + 8 * i, words[i]);
	client_answer(c, DEVICE_OK, (uint32_t)n, bytes, 8 * (size_t)n);
}

/* Puts a batch of n words at the tap, at most WIRE_WORDS, whose messages have so many words of
 * payload. */
static bool serve_batch(struct server *s, const unsigned char *words, uint32_t n, uint32_t payload)
{
	struct nfart_batch b = { .time = get_le64(words), .mask = get_le64(words + 8) };
	uint64_t room[NFART_SLOTS * NFART_PAYLOAD_WORDS];
	const unsigned char *at = words + 16;

	if (payload > NFART_PAYLOAD_WORDS || n != 2 + bits_count(b.mask) * (1 + payload))
		return device_fail(s->device, DEVICE_REFUSED, "the batch has not the headers and "
				   "the payload of its slots");
	for (uint64_t m = b.mask; m != 0; m &= m - 1, at += 8)
		b.header[__builtin_ctzll(m)] = get_le64(at);
	for (uint32_t i = 0; i < bits_count(b.mask) * payload; i++, at += 8)
		room[i] = get_le64(at);
	b.payload_words = (uint8_t)payload;
	b.payload = payload != 0 ? room : NULL;
	device_inject(s->device, &b);
	return s->device->error.fault == DEVICE_OK;
}

/* The memory of the ring, in whole pages whose numbers have 32 bits, and so have those of beats; or
 * none. */
static struct device_room serve_room(struct device *d)
{
	struct device_room room;

	if (!device_memory_room(d, &room) || room.base % WIRE_PAGE != 0 ||
	    room.base / WIRE_PAGE > UINT32_MAX)
		return (struct device_room){ 0 };
	if (room.size > WIRE_ROOM_MOST)
		room.size = WIRE_ROOM_MOST;
	return room;
}

static void serve_memory(struct server *s, struct client *c, uint32_t beat, uint32_t words)
{
	struct device_room room = serve_room(s->device);
	unsigned char bytes[DEVICE_MEMORY];
	uint64_t at = (uint64_t)beat * WIRE_BEAT;
	size_t n = 8 * (size_t)words;

	if (words == 0 || n % WIRE_BEAT != 0 || n > sizeof bytes || at > room.size ||
	    n > room.size - at)
		device_fail(s->device, DEVICE_REFUSED, "there is no such memory");
	else
		device_memory_read(s->device, room.base + at, bytes, n);
	if (s->device->error.fault != DEVICE_OK)
		client_fault(s, c);
	else
		client_answer(c, DEVICE_OK, words, bytes, n);
}

/* Answers a request, of whose words there are `value` if it is WIRE_BATCH. */
static void serve_request(struct server *s, struct client *c, const unsigned char *p)
{
	struct device *d = s->device;
	uint32_t what = get_le32(p), offset = get_le32(p + 4), value = get_le32(p + 8), answer = 0;

	if (what == WIRE_STREAM) {
		serve_stream(s, c, value);
		return;
	}
	if (what == WIRE_MEMORY) {
		serve_memory(s, c, offset, value);
		return;
	}
	if (what == WIRE_HELLO && value == WIRE_VERSION)
		answer = (device_has_stream(d) ? WIRE_HAS_STREAM : 0) |
			 (device_can_inject(d) ? WIRE_HAS_TAP : 0) |
			 (serve_room(d).size != 0 ? WIRE_HAS_MEMORY : 0);
	else if (what == WIRE_ROOM && offset <= 1)
		answer = (uint32_t)((offset == 0 ? serve_room(d).size : serve_room(d).base) /
				    WIRE_PAGE);
	else if (what == WIRE_LOCK)
		serve_lock(s, c, value);
	else if (what == WIRE_UNLOCK && value <= DEVICE_USE_STREAM)
		c->holds[value] = false;
	else if ((what == WIRE_READ || what == WIRE_WRITE) &&
		 (offset % 4 != 0 || offset >= DEVICE_REGISTERS))
		device_fail(d, DEVICE_REFUSED, "there is no register at 0x%x", (unsigned)offset);
	else if (what == WIRE_READ)
		answer = device_read(d, offset);
	else if (what == WIRE_WRITE)
		device_write(d, offset, value);
	else if (what == WIRE_BATCH && device_can_inject(d))
		serve_batch(s, p + WIRE_REQUEST, value, offset);
	else if (what == WIRE_IDLE && device_can_inject(d) && offset <= 1000000)
		device_idle(d, offset);
	else
		device_fail(d, DEVICE_REFUSED, "no such request");
	if (d->error.fault != DEVICE_OK)
		client_fault(s, c);
	else
		client_answer(c, DEVICE_OK, answer, NULL, 0);
}

/* Takes what a connection has sent, and answers the requests that are complete. */
static void serve_client(struct server *s, struct client *c)
{
	ssize_t got = recv(c->fd, c->in + c->have, sizeof c->in - c->have, MSG_DONTWAIT);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) {
		client_close(c);
		return;
	}
	c->have += (size_t)got;
	while (c->fd >= 0 && c->have >= WIRE_REQUEST) {
		uint32_t words = get_le32(c->in) == WIRE_BATCH ? get_le32(c->in + 8) : 0;
		size_t size = WIRE_REQUEST + 8 * (size_t)words;
		if (get_le32(c->in) == WIRE_BATCH && (words < 2 || words > WIRE_WORDS)) {
			client_close(c);
			return;
		}
		if (c->have < size)
			return;
		serve_request(s, c, c->in);
		if (c->fd < 0)
			return;
		c->have -= size;
		memmove(c->in, c->in + size, c->have);
	}
}

static void serve_accept(struct server *s)
{
	int fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC);

	for (int i = 0; i < MOST_CLIENTS && fd >= 0; i++)
		if (s->clients[i].fd < 0) {
			s->clients[i].fd = fd;
			fd = -1;
		}
	if (fd >= 0)
		close(fd);
}

/* May the socket be made? A socket to which nobody listens any more may be replaced, and nothing
 * else. */
static bool serve_may(struct device *d, const struct sockaddr_un *a)
{
	struct stat st;
	int fd;
	bool dead;

	if (lstat(a->sun_path, &st) != 0)
		return true;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	dead = fd >= 0 && S_ISSOCK(st.st_mode) &&
	       connect(fd, (const struct sockaddr *)a, sizeof *a) != 0 && errno == ECONNREFUSED;
	if (fd >= 0)
		close(fd);
	return dead || device_fail(d, DEVICE_SYSTEM, "can't serve at %s: it is there already",
				   a->sun_path);
}

/* Makes the socket. It gets its name when it listens, so that nobody comes too early. */
static bool serve_listen(struct server *s, const char *path)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX }, early = a;

	if (strlen(path) + 5 > sizeof a.sun_path)
		return device_fail(s->device, DEVICE_SYSTEM, "the path of the socket is too long: "
				   "%s", path);
	snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
	snprintf(early.sun_path, sizeof early.sun_path, "%s.new", path);
	if (!serve_may(s->device, &a) || !serve_may(s->device, &early))
		return false;
	unlink(early.sun_path);
	s->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (s->fd >= 0 && bind(s->fd, (struct sockaddr *)&early, sizeof early) == 0 &&
	    listen(s->fd, MOST_CLIENTS) == 0 && rename(early.sun_path, path) == 0)
		return true;
	device_fail(s->device, DEVICE_SYSTEM, "can't serve at %s: %s", path, strerror(errno));
	unlink(early.sun_path);
	return false;
}

static void serve_once(struct server *s)
{
	struct pollfd p[1 + MOST_CLIENTS] = { { .fd = s->fd, .events = POLLIN } };

	for (int i = 0; i < MOST_CLIENTS; i++)
		p[1 + i] = (struct pollfd){ .fd = s->clients[i].fd, .events = POLLIN };
	if (poll(p, 1 + MOST_CLIENTS, POLL_MS) <= 0)
		return;
	for (int i = 0; i < MOST_CLIENTS; i++)
		if (p[1 + i].revents != 0)
			serve_client(s, &s->clients[i]);
	if (p[0].revents != 0)
		serve_accept(s);
}

bool device_serve(struct device *d, const char *path)
{
	struct server s = { .device = d, .fd = -1 };
	bool ok;

	for (int i = 0; i < MOST_CLIENTS; i++)
		s.clients[i].fd = -1;
	ok = serve_listen(&s, path);
	if (ok) {
		while (!interrupt_came())
			serve_once(&s);
		interrupt_clear();
		unlink(path);
	}
	for (int i = 0; i < MOST_CLIENTS; i++)
		client_close(&s.clients[i]);
	if (s.fd >= 0)
		close(s.fd);
	return ok;
}
