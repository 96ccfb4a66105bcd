/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * System calls with structures of pointers. Structures and buffers lie in watched memory, on the
 * stack, or in read-only memory. There are as many buffers as allowed, or more.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

enum { MANY = 1024, MESSAGES = 3 };

static int ends[2];
static char data[MANY + 1];
static struct iovec in_bss[MANY + 1];
static struct iovec *volatile nowhere = (struct iovec *)16;
static const char text[] = "constant";
static const struct iovec constant = { (void *)text, sizeof text };
static const struct msghdr constant_header = { .msg_iov = (void *)&constant, .msg_iovlen = 1 };

static struct iovec piece(size_t bytes)
{
	return (struct iovec){ calloc(1, bytes), bytes };
}

static void plain(void)
{
	struct iovec *out = calloc(3, sizeof *out), back[2] = { piece(3), piece(20) };

	for (int i = 0; i < 3; i++) {
		out[i] = piece(4);
		memcpy(out[i].iov_base, "abcdefghijkl" + 4 * i, 4);
	}
	printf("%zd ", writev(ends[0], out, 3));
	printf("%zd ", readv(ends[1], back, 2));
	printf("%.3s %s\n", (char *)back[0].iov_base, (char *)back[1].iov_base);
}

/* One byte in each buffer. */
static void many(void)
{
	unsigned sum = 0;

	for (int i = 0; i <= MANY; i++) {
		in_bss[i] = (struct iovec){ &data[i], 1 };
		data[i] = (char)i;
	}
	printf("%zd ", writev(ends[0], in_bss, MANY));
	memset(data, 0, sizeof data);
	printf("%zd ", readv(ends[1], in_bss, MANY));
	for (int i = 0; i < MANY; i++)
		sum = sum * 31 + (unsigned char)data[i];
	printf("%u ", sum);
	printf("%d ", writev(ends[0], in_bss, MANY + 1) < 0 && errno == EINVAL);
	printf("%d\n", writev(ends[0], nowhere, 2) < 0 && errno == EFAULT);
}

/*
 * Messages with a descriptor and the sender's credentials; also messages that are larger than the
 * buffers.
 */
static void message(void)
{
	struct msghdr *m = calloc(1, sizeof *m), *back = calloc(1, sizeof *back);
	struct iovec *pairs = calloc(2, sizeof *pairs);
	struct cmsghdr *c = calloc(1, CMSG_SPACE(sizeof(int)));
	int fd = -1;

	pairs[0] = piece(30);
	strcpy(pairs[0].iov_base, "a message");
	m->msg_iov = pairs;
	m->msg_iovlen = 1;
	m->msg_control = c;
	m->msg_controllen = CMSG_SPACE(sizeof fd);
	*c = (struct cmsghdr){ CMSG_LEN(sizeof fd), SOL_SOCKET, SCM_RIGHTS };
	memcpy(CMSG_DATA(c), &ends[0], sizeof fd);
	printf("%zd ", sendmsg(ends[0], m, 0));
	printf("%zd ", sendmsg(ends[0], &constant_header, 0));
	pairs[1] = piece(6);
	back->msg_iov = pairs + 1;
	back->msg_iovlen = 1;
	back->msg_control = calloc(1, CMSG_SPACE(sizeof fd));
	back->msg_controllen = CMSG_SPACE(sizeof fd);
	printf("%zd ", recvmsg(ends[1], back, MSG_TRUNC));
	c = CMSG_FIRSTHDR(back);
	if (c != NULL && c->cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(c), sizeof fd);
	printf("%.6s %d %d ", (char *)pairs[1].iov_base, (back->msg_flags & MSG_TRUNC) != 0,
	       write(fd, "x", 1) == 1);
	printf("%zd ", recvmsg(ends[1], back, 0));
	printf("%.6s %zu\n", (char *)pairs[1].iov_base, (size_t)back->msg_controllen);
	printf("%zd\n", recv(ends[1], pairs[1].iov_base, 6, 0));
}

static void messages(void)
{
	struct mmsghdr *out = calloc(MESSAGES, sizeof *out), *back = calloc(MESSAGES, sizeof *back);
	struct timespec *limit = calloc(1, sizeof *limit);

	limit->tv_sec = 5;
	for (int i = 0; i < MESSAGES; i++) {
		struct iovec *pairs = calloc(4, sizeof *pairs);

		for (int k = 0; k < 4; k++)
			pairs[k] = piece(3);
		memcpy(pairs[0].iov_base, "one", 3);
		memcpy(pairs[1].iov_base, "two", 3);
		out[i].msg_hdr.msg_iov = pairs;
		out[i].msg_hdr.msg_iovlen = 1 + i % 2;
		back[i].msg_hdr.msg_iov = pairs + 2;
		back[i].msg_hdr.msg_iovlen = 2;
	}
	printf("%d ", sendmmsg(ends[0], out, MESSAGES, 0));
	printf("%d", recvmmsg(ends[1], back, MESSAGES, 0, limit));
	for (int i = 0; i < MESSAGES; i++)
		printf(" %u %u %.3s%.3s", out[i].msg_len, back[i].msg_len,
		       (char *)back[i].msg_hdr.msg_iov[0].iov_base,
		       (char *)back[i].msg_hdr.msg_iov[1].iov_base);
	printf(" %d\n", sendmmsg(ends[0], NULL, 0, 0));
}

/* The origin of messages: sockets with names. */
static void names(void)
{
	struct sockaddr_un *name = calloc(2, sizeof *name);
	struct iovec pair = piece(8);
	struct msghdr m = { name + 1, sizeof *name, &pair, 1, NULL, 0, 0 };
	int from = socket(AF_UNIX, SOCK_DGRAM, 0), to = socket(AF_UNIX, SOCK_DGRAM, 0);
	socklen_t bytes = sizeof *name;

	bind(from, (struct sockaddr *)&(struct sockaddr){ .sa_family = AF_UNIX }, 2);
	bind(to, (struct sockaddr *)&(struct sockaddr){ .sa_family = AF_UNIX }, 2);
	getsockname(to, (struct sockaddr *)name, &bytes);
	sendto(from, "datagram", 8, 0, (struct sockaddr *)name, bytes);
	printf("%zd %.8s ", recvmsg(to, &m, 0), (char *)pair.iov_base);
	bytes = sizeof *name;
	getsockname(from, (struct sockaddr *)name, &bytes);
	printf("%d\n", m.msg_namelen == bytes && memcmp(name, name + 1, bytes) == 0);
}

static void own_memory(void)
{
	struct iovec here = piece(6), there = piece(6);

	memcpy(there.iov_base, "itself", 6);
	printf("%zd ", process_vm_readv(getpid(), &here, 1, &there, 1, 0));
	printf("%.6s\n", (char *)here.iov_base);
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0)
		return 1;
	plain();
	many();
	message();
	messages();
	names();
	own_memory();
	return 0;
}
