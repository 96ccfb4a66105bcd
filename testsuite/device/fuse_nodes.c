/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * fuse_nodes DEVICE FOLDER [hang=N|refuse=N]: puts the files x_user, x_c2h_0 and x_c2h_1 into a
 * folder. They behave like the character devices of the XDMA driver, with a device of nfactl behind
 * them: reads and writes of four bytes at a register's offset, a read that blocks until the engine
 * has output, and reads of the ring's memory at its addresses. It speaks to the kernel as the FUSE
 * protocol says (linux/fuse.h), so a program that opens the files makes real system calls, which
 * block and fail as those of a driver. The Nth access to a register is never answered (hang), or
 * fails with EIO (refuse). It ends at SIGTERM. Exit code 77: files can't be mounted here.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/device/device.h"
#include "support/bits.h"
#include "support/cli.h"
#include "support/interrupt.h"

enum { USER = 2, C2H = 3, MEMORY = 4, BUFFER = 1 << 17, SKIPPED = 77 };

struct nodes {
	struct device *d;
	int fd;
	uint64_t accesses, hang, refuse;
	uint64_t waiting; /* the request that waits for output; 0: none */
	size_t room;      /* bytes that it takes */
};

static void nodes_reply(struct nodes *x, uint64_t request, int error, const void *p, size_t n)
{
	unsigned char all[sizeof(struct fuse_out_header) + 4096];
	struct fuse_out_header h = { .len = (uint32_t)(sizeof h + n), .error = error,
				     .unique = request };

	memcpy(all, &h, sizeof h);
	if (n != 0)
		memcpy(all + sizeof h, p, n);
	if (write(x->fd, all, sizeof h + n) < 0 && errno != ENOENT)
		perror("fuse_nodes: write");
}

static struct fuse_attr nodes_attr(uint64_t node)
{
	struct fuse_attr a = { .ino = node, .nlink = 1, .uid = getuid(), .gid = getgid() };

	a.mode = node == FUSE_ROOT_ID ? S_IFDIR | 0755 : S_IFREG | 0600;
	a.size = node == USER ? DEVICE_REGISTERS : 0;
	return a;
}

/* Gives the request that waits what output there is. */
static void nodes_output(struct nodes *x)
{
	uint64_t words[512];
	unsigned char bytes[sizeof words];
	size_t room = x->room / 8 < 512 ? x->room / 8 : 512;
	long n = device_stream(x->d, words, room);

	if (n == 0)
		return;
	for (long i = 0; i < n; i++)
		put_le64(bytes + 8 * i, words[i]);
	nodes_reply(x, x->waiting, n < 0 ? -EIO : 0, bytes, n < 0 ? 0 : 8 * (size_t)n);
	x->waiting = 0;
}

/* An access to a register. False: it is not answered, or was by an error. */
static bool nodes_access(struct nodes *x, uint64_t request, uint64_t offset, uint32_t size)
{
	x->accesses++;
	if (x->accesses == x->hang)
		return false;
	if (size == 4 && offset % 4 == 0 && offset < DEVICE_REGISTERS && x->accesses != x->refuse)
		return true;
	nodes_reply(x, request, -EIO, NULL, 0);
	return false;
}

static void nodes_memory(struct nodes *x, uint64_t request, const struct fuse_read_in *in)
{
	unsigned char bytes[DEVICE_MEMORY];
	bool fits = in->size <= sizeof bytes && in->size % 64 == 0 && in->offset % 64 == 0;

	if (fits && device_memory_read(x->d, in->offset, bytes, in->size))
		nodes_reply(x, request, 0, bytes, in->size);
	else
		nodes_reply(x, request, -EIO, NULL, 0);
}

static void nodes_read(struct nodes *x, const struct fuse_in_header *h,
		       const struct fuse_read_in *in)
{
	uint32_t value;

	if (h->nodeid == C2H) {
		x->waiting = h->unique;
		x->room = in->size;
		return;
	}
	if (h->nodeid == MEMORY) {
		nodes_memory(x, h->unique, in);
		return;
	}
	if (!nodes_access(x, h->unique, in->offset, in->size))
		return;
	value = device_read(x->d, (uint32_t)in->offset);
	nodes_reply(x, h->unique, 0, &value, sizeof value);
}

static void nodes_write(struct nodes *x, const struct fuse_in_header *h,
			const struct fuse_write_in *in)
{
	struct fuse_write_out out = { .size = 4 };
	uint32_t value;

	if (!nodes_access(x, h->unique, in->offset, in->size))
		return;
	memcpy(&value, in + 1, sizeof value);
	device_write(x->d, (uint32_t)in->offset, value);
	nodes_reply(x, h->unique, 0, &out, sizeof out);
}

static void nodes_lookup(struct nodes *x, const struct fuse_in_header *h, const char *name)
{
	struct fuse_entry_out out = { .nodeid = 0 };

	if (strcmp(name, "x_user") == 0)
		out.nodeid = USER;
	else if (strcmp(name, "x_c2h_0") == 0)
		out.nodeid = C2H;
	else if (strcmp(name, "x_c2h_1") == 0)
		out.nodeid = MEMORY;
	out.attr = nodes_attr(out.nodeid);
	nodes_reply(x, h->unique, out.nodeid == 0 ? -ENOENT : 0, &out,
		    out.nodeid == 0 ? 0 : sizeof out);
}

static void nodes_request(struct nodes *x, const struct fuse_in_header *h, const void *in)
{
	struct fuse_init_out init = { .major = FUSE_KERNEL_VERSION, .minor = 31,
				      .max_readahead = 4096, .max_write = 4096 };
	struct fuse_attr_out attr = { .attr = nodes_attr(h->nodeid) };
	struct fuse_open_out open = { .open_flags = FOPEN_DIRECT_IO };

	if (h->opcode == FUSE_INIT)
		nodes_reply(x, h->unique, 0, &init, sizeof init);
	else if (h->opcode == FUSE_LOOKUP)
		nodes_lookup(x, h, in);
	else if (h->opcode == FUSE_GETATTR)
		nodes_reply(x, h->unique, 0, &attr, sizeof attr);
	else if (h->opcode == FUSE_OPEN)
		nodes_reply(x, h->unique, 0, &open, sizeof open);
	else if (h->opcode == FUSE_READ)
		nodes_read(x, h, in);
	else if (h->opcode == FUSE_WRITE)
		nodes_write(x, h, in);
	else if (h->opcode == FUSE_RELEASE || h->opcode == FUSE_FLUSH)
		nodes_reply(x, h->unique, 0, NULL, 0);
	else if (h->opcode == FUSE_INTERRUPT)
		nodes_reply(x, ((const struct fuse_interrupt_in *)in)->unique, -EINTR, NULL, 0);
	else if (h->opcode != FUSE_FORGET && h->opcode != FUSE_BATCH_FORGET)
		nodes_reply(x, h->unique, -ENOSYS, NULL, 0);
	if (h->opcode == FUSE_INTERRUPT &&
	    ((const struct fuse_interrupt_in *)in)->unique == x->waiting)
		x->waiting = 0;
}

static void nodes_serve(struct nodes *x)
{
	static _Alignas(16) unsigned char buffer[BUFFER];

	while (!interrupt_came() && device_error(x->d)->fault == DEVICE_OK) {
		struct pollfd p = { .fd = x->fd, .events = POLLIN };
		ssize_t n = 0;
		if (poll(&p, 1, x->waiting != 0 ? 1 : 100) > 0)
			n = read(x->fd, buffer, sizeof buffer - 1);
		if (n < 0 && errno == ENODEV)
			return;
		if (n >= (ssize_t)sizeof(struct fuse_in_header)) {
			buffer[n] = 0;
			nodes_request(x, (void *)buffer, buffer + sizeof(struct fuse_in_header));
		}
		if (x->waiting != 0)
			nodes_output(x);
	}
}

int main(int argc, char **argv)
{
	struct nodes x = { .fd = -1 };
	struct device_options o = { .timeout_ms = 5000 };
	struct device_error e = { .what = "usage: fuse_nodes DEVICE FOLDER [hang=N|refuse=N]" };
	char options[128];

	if (argc == 4 && strncmp(argv[3], "hang=", 5) == 0)
		cli_number(argv[3] + 5, 0, &x.hang, NULL);
	else if (argc == 4 && strncmp(argv[3], "refuse=", 7) == 0)
		cli_number(argv[3] + 7, 0, &x.refuse, NULL);
	x.d = argc >= 3 ? device_open(argv[1], &o, &e) : NULL;
	if (x.d == NULL) {
		fprintf(stderr, "fuse_nodes: %s\n", e.what);
		return 2;
	}
	interrupt_catch();
	x.fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof options, "fd=%d,rootmode=40755,user_id=%u,group_id=%u", x.fd,
		 (unsigned)getuid(), (unsigned)getgid());
	if (x.fd < 0 || mount("nfacc", argv[2], "fuse", MS_NOSUID | MS_NODEV, options) != 0) {
		printf("can't mount by /dev/fuse: %s\n", strerror(errno));
		device_close(x.d);
		return SKIPPED;
	}
	nodes_serve(&x);
	umount2(argv[2], MNT_DETACH);
	close(x.fd);
	device_close(x.d);
	return 0;
}
