/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * System calls with arrays of buffers: readv, sendmsg, recvmmsg and the like. The kernel gets
 * copies of the arrays, in which pointers to watched memory are aliases. After the call, what the
 * kernel wrote into the copies is copied to the program's own arrays.
 *
 * The copies lie after struct call on the program's stack. So they are gone whichever way the call
 * ends. The copies for several messages are too large for the stack and are mapped instead. If a
 * handler leaves such a call by longjmp, that mapping remains.
 *
 *     readv, writev         array of struct iovec
 *     recvmsg, sendmsg      msghdr, array of struct iovec
 *     recvmmsg, sendmmsg    size of the mapping, mmsghdr of each message, iovecs of each message
 */
#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/raw.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum { MOST = 1024 }; /* most buffers, or messages, that the kernel takes in one call */

/* The number of messages in a call. */
static uint64_t record_messages(const struct call *call)
{
	return call->arguments[2] < MOST ? call->arguments[2] : MOST;
}

size_t vectors_room(const struct call_row *row, const uint64_t *arguments)
{
	struct msghdr m = { .msg_iovlen = 0 };
	uint64_t pairs = row->kind == CALL_IOV ? arguments[2] : 0;
	if (row->kind == CALL_MESSAGE && calls_read(&m, arguments[1], sizeof m))
		pairs = m.msg_iovlen;
	return sizeof m + (pairs <= MOST ? pairs : 0) * sizeof(struct iovec);
}

/*
 * Copies an array of buffers to `to`, with aliases. Returns the array for the kernel: the copy, or
 * `from` if it cannot be copied.
 */
static struct iovec *translate_vectors(struct iovec *to, const struct iovec *from, uint64_t count)
{
	if (count == 0 || count > MOST || !calls_read(to, (uint64_t)from, count * sizeof *to))
		return (struct iovec *)from;
	for (uint64_t i = 0; i < count; i++)
		to[i].iov_base = mirror_alias(to[i].iov_base);
	return to;
}

static void translate_header(struct msghdr *m, struct iovec *pairs)
{
	m->msg_iov = translate_vectors(pairs, m->msg_iov, m->msg_iovlen);
	m->msg_name = mirror_alias(m->msg_name);
	m->msg_control = mirror_alias(m->msg_control);
}

/* Copies the headers of several messages to a new mapping, with aliases. */
static void translate_messages(struct call *call)
{
	const uint64_t n = record_messages(call);
	const struct mmsghdr *from = (const struct mmsghdr *)call->arguments[1];
	uint64_t pairs = 0;
	struct msghdr m;
	for (uint64_t i = 0; i < n; i++) {
		if (!calls_read(&m, (uint64_t)&from[i], sizeof m))
			return;
		pairs += m.msg_iovlen <= MOST ? m.msg_iovlen : 0;
	}
	const size_t bytes = sizeof(uint64_t) + n * sizeof *from + pairs * sizeof(struct iovec);
	uint64_t *own =
		raw_mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (n == 0 || !raw_good(own))
		return;
	struct mmsghdr *to = (struct mmsghdr *)(own + 1);
	struct iovec *next = (struct iovec *)(to + n);
	call->extra = own;
	*own = bytes;
	call->used[1] = (uint64_t)to;
	for (uint64_t i = 0; i < n && calls_read(&to[i], (uint64_t)&from[i], sizeof *to); i++) {
		struct msghdr *h = &to[i].msg_hdr;
		if (h->msg_iovlen > MOST)
			continue;          /* the kernel will reject it */
		if (h->msg_iovlen > pairs) /* another thread has changed it */
			h->msg_iovlen = pairs;
		pairs -= h->msg_iovlen;
		translate_header(h, next);
		next += h->msg_iovlen;
	}
}

void vectors_before(struct call *call)
{
	struct msghdr *m = (struct msghdr *)(call + 1);
	struct iovec *pairs = (struct iovec *)(m + 1);
	if (call->row->kind == CALL_MESSAGES) {
		translate_messages(call);
	} else if (call->row->kind == CALL_IOV) {
		call->used[1] = (uint64_t)translate_vectors(
			pairs, (const struct iovec *)call->arguments[1], call->arguments[2]);
	} else if (calls_read(m, call->arguments[1], sizeof *m) &&
		   sizeof *m + m->msg_iovlen * sizeof *pairs <= call->room) {
		translate_header(m, pairs);
		call->used[1] = (uint64_t)m;
	}
}

/* ---- after the call ---- */

/* Records an event for each buffer that holds a part of the `bytes` bytes. */
static void buffers(const struct call *call, const struct iovec *pairs, uint64_t n, uint64_t bytes)
{
	for (uint64_t i = 0; i < n && bytes; i++) {
		const uint64_t part = pairs[i].iov_len < bytes ? pairs[i].iov_len : bytes;
		calls_moved(call, (uint64_t)mirror_own(pairs[i].iov_base), part);
		bytes -= part;
	}
}

static void record_message(const struct call *call, const struct msghdr *m, uint64_t bytes)
{
	buffers(call, m->msg_iov, m->msg_iovlen, bytes);
	if (m->msg_name)
		calls_moved(call, (uint64_t)mirror_own(m->msg_name), m->msg_namelen);
	if (m->msg_control)
		calls_moved(call, (uint64_t)mirror_own(m->msg_control), m->msg_controllen);
}

/* Copies what the kernel wrote into a header to the program's own header. */
static void give_back(struct msghdr *to, const struct msghdr *from)
{
	to->msg_namelen = from->msg_namelen;
	to->msg_controllen = from->msg_controllen;
	to->msg_flags = from->msg_flags;
}

static void after_messages(const struct call *call, long result)
{
	const struct mmsghdr *from = (const struct mmsghdr *)call->used[1];
	for (long i = 0; i < result; i++) {
		struct mmsghdr *to = mirror_alias((struct mmsghdr *)call->arguments[1] + i);
		to->msg_len = from[i].msg_len;
		if (call->row->fill)
			give_back(&to->msg_hdr, &from[i].msg_hdr);
		if (inside_watching())
			record_message(call, &from[i].msg_hdr, from[i].msg_len);
	}
	raw_munmap((uintptr_t)call->extra, *(const uint64_t *)call->extra);
}

void vectors_after(const struct call *call, long result)
{
	const struct msghdr *m = (const struct msghdr *)(call + 1);
	if (call->row->kind == CALL_MESSAGES && call->extra)
		after_messages(call, result);
	if (call->row->kind == CALL_IOV && call->used[1] == (uint64_t)(m + 1) && result > 0 &&
	    inside_watching())
		buffers(call, (const struct iovec *)(m + 1), call->arguments[2], (uint64_t)result);
	if (call->row->kind != CALL_MESSAGE || call->used[1] != (uint64_t)m || result < 0)
		return;
	if (call->row->fill)
		give_back(mirror_alias((void *)call->arguments[1]), m);
	if (inside_watching())
		record_message(call, m, (uint64_t)result);
}
