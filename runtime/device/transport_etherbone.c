/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Registers over a network, by Etherbone: packets of writes and reads of a Wishbone bus, over TCP
 * as LiteX's litex_server takes them, or over UDP as a core in an FPGA does. All numbers are
 * big-endian:
 *
 *	4e 6f 10 44  00 00 00 00                       magic, version 1, 32-bit addresses and data
 *	flags ff wcount rcount                         a record: how many writes and reads
 *	address data...                                the writes, at rising addresses
 *	return-address address...                      the reads; they come back as a record of writes
 */
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "runtime/device/device_priv.h"
#include "support/clock.h"
#include "support/cli.h"

enum {
	HEAD = 8,
	RECORD = HEAD + 4,
	ONE = RECORD + 8, /* a packet with one write or one read */
	NAME_BYTES = 256,
	GREETING_BYTES = 128,
	MOST_LATE = 1024, /* the most answers to earlier reads that are dropped */
	GREETING_MS = 1000
};

struct etherbone {
	int fd, locks[2];
	bool udp;
	uint32_t base;
	uint32_t asked; /* the number of the last read, which is its return address */
	size_t late;    /* TCP: bytes of earlier answers that are still to come */
	char name[NAME_BYTES]; /* as the user wrote it, for the lock */
};

static void put_be32(unsigned char *p, uint32_t x)
{
	for (int i = 0; i < 4; i++)
		p[i] = (unsigned char)(x >> (24 - 8 * i));
}

static uint32_t get_be32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* A core answers to the port that it has itself, whatever the sender's is. So a socket fd that is not
 * connected yet gets this port, at the address from which datagrams to the peer leave. Where the
 * port is taken it stays as it is: then another process drives the core, which the lock says, or
 * the peer is a program on this machine, which answers to the sender. */
static void etherbone_take_port(int fd, const struct addrinfo *peer)
{
	int trial = socket(peer->ai_family, peer->ai_socktype | SOCK_CLOEXEC, peer->ai_protocol);
	struct sockaddr_storage from;
	socklen_t n = sizeof from;

	if (trial < 0)
		return;
	if (connect(trial, peer->ai_addr, peer->ai_addrlen) == 0 &&
	    getsockname(trial, (struct sockaddr *)&from, &n) == 0) {
		if (from.ss_family == AF_INET6)
			((struct sockaddr_in6 *)&from)->sin6_port =
				((struct sockaddr_in6 *)peer->ai_addr)->sin6_port;
		else
			((struct sockaddr_in *)&from)->sin_port =
				((struct sockaddr_in *)peer->ai_addr)->sin_port;
		(void)!bind(fd, (struct sockaddr *)&from, n);
	}
	close(trial);
}

/* Connects to HOST:PORT. */
static bool etherbone_connect(struct device *d, struct etherbone *x, const char *host,
			      const char *port)
{
	struct addrinfo hints = { .ai_socktype = x->udp ? SOCK_DGRAM : SOCK_STREAM }, *list, *a;
	struct timeval most = { .tv_sec = d->o.timeout_ms / 1000,
				.tv_usec = (long)(d->o.timeout_ms % 1000) * 1000 };
	int error = getaddrinfo(host, port, &hints, &list);

	if (error != 0)
		return device_fail(d, DEVICE_SYSTEM, "can't find %s port %s: %s", host, port,
				   gai_strerror(error));
	error = ENOENT;
	for (a = list; a != NULL && x->fd < 0; a = a->ai_next) {
		x->fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
		/* The time-out holds for connect(), too. */
		if (x->fd >= 0)
			setsockopt(x->fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
		if (x->fd >= 0 && x->udp)
			etherbone_take_port(x->fd, a);
		if (x->fd >= 0 && connect(x->fd, a->ai_addr, a->ai_addrlen) != 0) {
			error = errno == EINPROGRESS ? ETIMEDOUT : errno;
			close(x->fd);
			x->fd = -1;
		}
	}
	freeaddrinfo(list);
	if (x->fd < 0)
		return device_fail(d, DEVICE_SYSTEM, "can't connect to %s port %s: %s", host, port,
				   strerror(error));
	return true;
}

/* litex_server says who it is before anything else, in a text without an end. */
static void etherbone_greeting(struct etherbone *x)
{
	struct pollfd p = { .fd = x->fd, .events = POLLIN };
	char text[GREETING_BYTES];

	if (poll(&p, 1, GREETING_MS) > 0)
		(void)!recv(x->fd, text, sizeof text, MSG_DONTWAIT);
}

static bool etherbone_open(struct device *d, const char *where)
{
	struct etherbone *x = calloc(1, sizeof *x);
	const char *at = strrchr(where, '@');
	char text[NAME_BYTES], *host = text, *port;
	uint64_t base = 0, number;

	if (x == NULL)
		return device_fail(d, DEVICE_SYSTEM, "out of memory");
	d->state = x;
	x->fd = x->locks[0] = x->locks[1] = -1;
	snprintf(x->name, sizeof x->name, "%s", where);
	snprintf(text, sizeof text, "%.*s",
		 (int)(at != NULL ? (size_t)(at - where) : strlen(where)), where);
	x->udp = strncmp(text, "udp:", 4) == 0;
	host += x->udp ? 4 : 0;
	port = strrchr(host, ':');
	if (strlen(where) >= sizeof text || port == NULL || port == host || port[1] == 0 ||
	    (at != NULL && !cli_number(at + 1, 0, &base, NULL)) ||
	    base % DEVICE_REGISTERS != 0 || base > UINT32_MAX)
		return device_fail(d, DEVICE_SYSTEM, "'%s' is no engine behind Etherbone; one is "
				   "written %s, with a multiple of 4096 below 2^32", where,
				   d->transport->form);
	*port++ = 0;
	/* A port may be a name of /etc/services. */
	if (strspn(port, "0123456789") == strlen(port) &&
	    (!cli_number(port, 0, &number, NULL) || number < 1 || number > UINT16_MAX))
		return device_fail(d, DEVICE_SYSTEM, "a port is from 1 to 65535, and %s is not",
				   port);
	x->base = (uint32_t)base;
	if (!etherbone_connect(d, x, host, port))
		return false;
	if (!x->udp)
		etherbone_greeting(x);
	return true;
}

static void etherbone_close(struct device *d)
{
	struct etherbone *x = d->state;

	if (x == NULL)
		return;
	for (int i = 0; i < 2; i++)
		if (x->locks[i] >= 0)
			close(x->locks[i]);
	if (x->fd >= 0)
		close(x->fd);
	free(x);
}

/* There is no file to lock. A socket with a name that only Linux keeps ends with the process, too;
 * it tells apart the users of one machine alone. */
static bool etherbone_lock(struct device *d, enum device_use use)
{
	struct etherbone *x = d->state;
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int n = snprintf(a.sun_path + 1, sizeof a.sun_path - 1, "nfactl-%d-%.90s", (int)use,
			 x->name);

	x->locks[use] = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (bind(x->locks[use], (struct sockaddr *)&a,
		 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n)) == 0)
		return true;
	if (errno == EADDRINUSE)
		return device_fail(d, DEVICE_BUSY, "another process drives the engine");
	return device_fail(d, DEVICE_SYSTEM, "can't lock the device: %s", strerror(errno));
}

static void etherbone_unlock(struct device *d)
{
	struct etherbone *x = d->state;

	close(x->locks[DEVICE_USE_REGISTERS]);
	x->locks[DEVICE_USE_REGISTERS] = -1;
}

static void etherbone_head(unsigned char *p, bool write)
{
	static const unsigned char head[RECORD] = { 0x4e, 0x6f, 0x10, 0x44, 0, 0, 0, 0, 0, 0xf };

	memcpy(p, head, RECORD);
	p[RECORD - 2] = write;
	p[RECORD - 1] = !write;
}

static bool etherbone_send(struct device *d, const unsigned char *p, size_t n)
{
	struct etherbone *x = d->state;
	ssize_t sent = send(x->fd, p, n, MSG_NOSIGNAL);

	if (sent == (ssize_t)n)
		return true;
	return device_fail(d, DEVICE_GONE, "the connection to the engine ended: %s",
			   sent < 0 ? strerror(errno) : "a packet was cut");
}

/* Takes n bytes of the answer. A packet of UDP comes as a whole. */
static bool etherbone_receive(struct device *d, unsigned char *p, size_t n)
{
	struct etherbone *x = d->state;
	uint64_t end = clock_nanoseconds() + (uint64_t)d->o.timeout_ms * 1000000;

	for (size_t have = 0; have < n;) {
		struct pollfd wait = { .fd = x->fd, .events = POLLIN };
		uint64_t now = clock_nanoseconds();
		ssize_t got;
		if (now >= end ||
		    poll(&wait, 1, (int)((end - now) / 1000000) + 1) == 0) {
			x->late += x->udp ? 0 : n - have;
			return device_fail(d, DEVICE_HANGS, "no answer came over the network within "
					   "%u ms", (unsigned)d->o.timeout_ms);
		}
		got = recv(x->fd, p + have, n - have, MSG_DONTWAIT);
		if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
			return device_fail(d, DEVICE_GONE, "the connection to the engine ended: %s",
					   got == 0 ? "the other side has closed it" :
					   strerror(errno));
		have += got > 0 ? (size_t)got : 0;
	}
	return true;
}

static bool etherbone_write(struct device *d, uint32_t offset, uint32_t value)
{
	struct etherbone *x = d->state;
	unsigned char packet[ONE];

	etherbone_head(packet, true);
	put_be32(packet + RECORD, x->base + offset);
	put_be32(packet + RECORD + 4, value);
	return etherbone_send(d, packet, sizeof packet);
}

/* Drops answers to earlier reads, which came after their time-out. */
static bool etherbone_drop(struct device *d)
{
	struct etherbone *x = d->state;
	unsigned char packet[ONE];

	while (x->udp && recv(x->fd, packet, sizeof packet, MSG_DONTWAIT) > 0)
		;
	while (x->late != 0) {
		size_t n = x->late < sizeof packet ? x->late : sizeof packet;
		x->late -= n;
		if (!etherbone_receive(d, packet, n))
			return false;
	}
	return true;
}

static bool etherbone_read(struct device *d, uint32_t offset, uint32_t *value)
{
	struct etherbone *x = d->state;
	unsigned char packet[ONE];
	bool mine = false;

	if (!etherbone_drop(d))
		return false;
	etherbone_head(packet, false);
	put_be32(packet + RECORD, ++x->asked);
	put_be32(packet + RECORD + 4, x->base + offset);
	if (!etherbone_send(d, packet, sizeof packet))
		return false;
	/* A late answer has the return address of another read. litex_server gives none back. */
	for (int i = 0; i < MOST_LATE && !mine; i++) {
		if (!etherbone_receive(d, packet, sizeof packet))
			return false;
		mine = get_be32(packet + RECORD) == x->asked || get_be32(packet + RECORD) == 0;
	}
	if (!mine || packet[0] != 0x4e || packet[1] != 0x6f || packet[RECORD - 2] != 1)
		return device_fail(d, DEVICE_GONE, "what answers does not speak Etherbone");
	*value = get_be32(packet + RECORD + 4);
	return true;
}

const struct device_transport transport_etherbone = {
	.name = "etherbone",
	.form = "etherbone:[udp:]HOST:PORT[@ADDRESS]",
	.about = "a Wishbone bus over a network: litex_server, or with udp: a core",
	.open = etherbone_open,
	.close = etherbone_close,
	.lock = etherbone_lock,
	.unlock = etherbone_unlock,
	.read = etherbone_read,
	.write = etherbone_write,
};
