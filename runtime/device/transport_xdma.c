/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The character devices of the XDMA driver: /dev/xdmaN_user has the registers by pread(2) and
 * pwrite(2) of four bytes, /dev/xdmaN_c2h_0 the words of the output by read(2).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/device/device_priv.h"

enum { NAME_BYTES = 512 };

struct xdma {
	int fd;
	struct device_worker *worker;
	struct device_file *c2h; /* NULL: the design has no such channel */
	struct {                 /* the access of the worker */
		uint32_t offset, value;
		bool write;
		ssize_t n;
		int error;
	} job;
};

static bool xdma_open(struct device *d, const char *where)
{
	struct xdma *x = calloc(1, sizeof *x);
	bool path = strchr(where, '/') != NULL;
	char name[NAME_BYTES];

	if (x == NULL)
		return device_fail(d, DEVICE_SYSTEM, "out of memory");
	d->state = x;
	if (!path && strspn(where, "0123456789") != strlen(where))
		x->fd = -1;
	else
		snprintf(name, sizeof name, "%s%s_user", path ? "" : "/dev/xdma", where);
	if (x->fd < 0)
		return device_fail(d, DEVICE_SYSTEM, "'%s' is no XDMA device; one is written %s",
				   where, d->transport->form);
	x->fd = open(name, O_RDWR | O_CLOEXEC);
	if (x->fd < 0)
		return device_fail(d, DEVICE_SYSTEM, "can't open %s: %s", name, strerror(errno));
	x->worker = device_worker_new();
	if (x->worker == NULL)
		return device_fail(d, DEVICE_SYSTEM, "out of memory");
	snprintf(name, sizeof name, "%s%s_c2h_0", path ? "" : "/dev/xdma", where);
	if (access(name, R_OK) == 0)
		x->c2h = device_file_open(d, name, 0);
	return d->error.fault == DEVICE_OK;
}

static void xdma_close(struct device *d)
{
	struct xdma *x = d->state;

	if (x == NULL)
		return;
	device_file_close(x->c2h);
	if (!device_worker_free(x->worker))
		return;
	if (x->fd >= 0)
		close(x->fd);
	free(x);
}

static bool xdma_lock(struct device *d, enum device_use use)
{
	struct xdma *x = d->state;

	if (use == DEVICE_USE_STREAM && x->c2h != NULL)
		return device_file_lock(d, x->c2h);
	return device_lock_file(d, x->fd, 0, use);
}

static void xdma_unlock(struct device *d)
{
	struct xdma *x = d->state;

	device_unlock_file(d, x->fd, 0);
}

static void xdma_access(void *state)
{
	struct xdma *x = state;

	if (x->job.write)
		x->job.n = pwrite(x->fd, &x->job.value, 4, (off_t)x->job.offset);
	else
		x->job.n = pread(x->fd, &x->job.value, 4, (off_t)x->job.offset);
	x->job.error = errno;
}

static bool xdma_job(struct device *d, bool write, uint32_t offset, uint32_t value)
{
	struct xdma *x = d->state;

	/* An access that took too long may still be under way. None is begun before it has ended. */
	if (!device_worker_wait(x->worker, d->o.timeout_ms))
		return device_fail(d, DEVICE_HANGS, "the driver has still not answered an earlier "
				   "access");
	x->job.write = write;
	x->job.offset = offset;
	x->job.value = value;
	device_worker_start(x->worker, xdma_access, x);
	if (!device_worker_wait(x->worker, d->o.timeout_ms))
		return device_fail(d, DEVICE_HANGS, "the driver did not answer an access to "
				   "register 0x%03x within %u ms", (unsigned)x->job.offset,
				   (unsigned)d->o.timeout_ms);
	if (x->job.n == 4)
		return true;
	return device_fail(d, DEVICE_GONE, "the driver refused an access to register 0x%03x: %s",
			   (unsigned)x->job.offset, x->job.n < 0 ? strerror(x->job.error) :
			   "it took less than four bytes");
}

static bool xdma_read(struct device *d, uint32_t offset, uint32_t *value)
{
	struct xdma *x = d->state;

	if (!xdma_job(d, false, offset, 0))
		return false;
	*value = x->job.value;
	return true;
}

static bool xdma_write(struct device *d, uint32_t offset, uint32_t value)
{
	return xdma_job(d, true, offset, value);
}

static long xdma_stream(struct device *d, uint64_t *words, size_t n)
{
	struct xdma *x = d->state;

	if (x->c2h != NULL)
		return device_file_words(d, x->c2h, words, n);
	device_fail(d, DEVICE_SYSTEM, "there is no node that ends in _c2h_0, or it may not be read");
	return -1;
}

const struct device_transport transport_xdma = {
	.name = "xdma",
	.form = "xdma:N",
	.about = "the nodes /dev/xdmaN_user and _c2h_0; N may be a path up to there",
	.open = xdma_open,
	.close = xdma_close,
	.lock = xdma_lock,
	.unlock = xdma_unlock,
	.read = xdma_read,
	.write = xdma_write,
	.stream = xdma_stream,
};
