/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "runtime/device/device_priv.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/device/nfacc_registers.h"
#include "support/clock.h"

static const struct device_transport *const transports[] = {
	&transport_uio,    &transport_pci, &transport_xdma,  &transport_mem,
	&transport_etherbone, &transport_sim, &transport_socket,
};

enum { NTRANSPORTS = sizeof transports / sizeof transports[0] };

bool device_transport_about(size_t i, const char **form, const char **about)
{
	if (i >= NTRANSPORTS)
		return false;
	*form = transports[i]->form;
	*about = transports[i]->about;
	return true;
}

/* ---- faults ---- */

const struct device_error *device_error(const struct device *d)
{
	return &d->error;
}

bool device_fail(struct device *d, enum device_fault fault, const char *format, ...)
{
	va_list args;

	if (d->error.fault != DEVICE_OK)
		return false;
	d->error.fault = fault;
	va_start(args, format);
	vsnprintf(d->error.what, sizeof d->error.what, format, args);
	va_end(args);
	return false;
}

/* ---- open and close ---- */

static const struct device_transport *device_find(const char *name, const char **where)
{
	for (size_t i = 0; i < NTRANSPORTS; i++) {
		size_t n = strlen(transports[i]->name);
		if (strncmp(name, transports[i]->name, n) == 0 && name[n] == ':') {
			*where = name + n + 1;
			return transports[i];
		}
	}
	return NULL;
}

static bool device_start(struct device *d, const char *where)
{
	d->where = where;
	if (where[0] == 0)
		return device_fail(d, DEVICE_SYSTEM, "no device is named: it is written %s",
				   d->transport->form);
	if (!d->transport->open(d, where))
		return false;
	if (d->o.stream != NULL)
		d->stream = device_file_open(d, d->o.stream, 0);
	/* O_SYNC: memory that a driver has for DMA (u-dma-buf) is then read past the cache. */
	if (d->o.memory != NULL && d->error.fault == DEVICE_OK)
		d->memory = device_file_open(d, d->o.memory, O_SYNC);
	return d->error.fault == DEVICE_OK;
}

struct device *device_open(const char *name, const struct device_options *o, struct device_error *e)
{
	const char *where = NULL;
	struct device *d = calloc(1, sizeof *d);

	*e = (struct device_error){ .fault = DEVICE_SYSTEM };
	snprintf(e->what, sizeof e->what, "out of memory");
	if (d == NULL)
		return NULL;
	d->o = *o;
	d->interrupts = -1;
	d->transport = device_find(name, &where);
	if (d->transport == NULL) {
		snprintf(e->what, sizeof e->what, "no transport for '%s'", name);
		free(d);
		return NULL;
	}
	if (device_start(d, where))
		return d;
	*e = d->error;
	device_close(d);
	return NULL;
}

void device_close(struct device *d)
{
	if (d == NULL)
		return;
	d->transport->close(d);
	if (d->interrupts >= 0)
		close(d->interrupts);
	device_file_close(d->stream);
	device_file_close(d->memory);
	free(d);
}

/* ---- locks ---- */

bool device_lock_file(struct device *d, int fd, uint64_t at, enum device_use use)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };

	l.l_start = (off_t)(at + (use == DEVICE_USE_STREAM));
	/* The lock belongs to the open file: a process that is killed loses it. */
	if (fcntl(fd, F_OFD_SETLK, &l) == 0)
		return true;
	if (errno == EAGAIN || errno == EACCES)
		return device_fail(d, DEVICE_BUSY, use == DEVICE_USE_STREAM ?
				   "another process reads the engine's output" :
				   "another process drives the engine");
	return device_fail(d, DEVICE_SYSTEM, "can't lock the device: %s", strerror(errno));
}

void device_unlock_file(struct device *d, int fd, uint64_t at)
{
	struct flock l = { .l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = (off_t)at,
			   .l_len = 1 };

	if (fcntl(fd, F_OFD_SETLK, &l) != 0)
		device_fail(d, DEVICE_SYSTEM, "can't unlock the device: %s", strerror(errno));
}

void device_unlock(struct device *d)
{
	if (d->error.fault == DEVICE_OK && d->transport->unlock != NULL)
		d->transport->unlock(d);
}

bool device_lock(struct device *d, enum device_use use)
{
	if (d->error.fault != DEVICE_OK)
		return false;
	if (use == DEVICE_USE_STREAM && d->stream != NULL)
		return device_file_lock(d, d->stream);
	return d->transport->lock == NULL || d->transport->lock(d, use);
}

/* ---- accesses ---- */

static bool device_goes_on(struct device *d)
{
	if (d->error.fault != DEVICE_OK)
		return false;
	if (d->wait.what != NULL && clock_nanoseconds() > d->wait.end)
		return device_fail(d, d->wait.fault, "the engine did not %s within %u ms",
				   d->wait.what, (unsigned)d->o.timeout_ms);
	return true;
}

uint32_t device_read(struct device *d, uint32_t offset)
{
	uint32_t value, id;

	if (!device_goes_on(d) || !d->transport->read(d, offset, &value))
		return 0;
	if (value != UINT32_MAX)
		return value;
	/* A bus without an answer gives all ones. A count may do so, too, but never ID. */
	if (!d->transport->read(d, NFACC_REG_ID, &id))
		return 0;
	if (id != UINT32_MAX)
		return value;
	device_fail(d, DEVICE_DEAD, "the device answers all ones: it is off, was reset, or has "
		    "left the bus");
	return 0;
}

void device_write(struct device *d, uint32_t offset, uint32_t value)
{
	if (device_goes_on(d))
		d->transport->write(d, offset, value);
}

void device_begin_wait(struct device *d, enum device_fault fault, const char *what)
{
	d->wait.fault = fault;
	d->wait.what = what;
	d->wait.end = clock_nanoseconds() + (uint64_t)d->o.timeout_ms * 1000000;
}

void device_end_wait(struct device *d)
{
	d->wait.what = NULL;
}

/* ---- the output, the tap, interrupts ---- */

bool device_has_stream(const struct device *d)
{
	return d->stream != NULL || d->transport->stream != NULL;
}

long device_stream(struct device *d, uint64_t *words, size_t n)
{
	if (!device_goes_on(d))
		return -1;
	if (d->stream != NULL)
		return device_file_words(d, d->stream, words, n);
	if (d->transport->stream != NULL)
		return d->transport->stream(d, words, n);
	device_fail(d, DEVICE_SYSTEM, "%s brings no output of the engine; --stream names a file "
		    "that does", d->transport->name);
	return -1;
}

bool device_memory_room(struct device *d, struct device_room *room)
{
	*room = (struct device_room){ 0 };
	if (!device_goes_on(d))
		return false;
	if (d->memory != NULL) {
		uint64_t size = device_file_size(d->memory), most = UINT64_MAX - d->o.memory_base;
		*room = (struct device_room){ d->o.memory_base, size < most ? size : most };
		return true;
	}
	return d->transport->room == NULL || d->transport->room(d, room);
}

bool device_memory_read(struct device *d, uint64_t address, void *p, size_t n)
{
	assert(n % 64 == 0 && n <= DEVICE_MEMORY && address % 64 == 0);
	if (!device_goes_on(d))
		return false;
	if (d->memory != NULL)
		return device_file_at(d, d->memory, address - d->o.memory_base, p, n);
	return d->transport->memory(d, address, p, n);
}

bool device_can_inject(const struct device *d)
{
	return d->transport->inject != NULL &&
	       (d->transport->has_tap == NULL || d->transport->has_tap(d));
}

void device_inject(struct device *d, const struct nfart_batch *b)
{
	if (device_goes_on(d))
		d->transport->inject(d, b, 0);
}

void device_idle(struct device *d, uint32_t cycles)
{
	if (device_goes_on(d))
		d->transport->inject(d, NULL, cycles);
}

uint32_t device_interrupt(struct device *d)
{
	uint32_t count = 0;

	if (!device_goes_on(d))
		return 0;
	if (d->transport->interrupt == NULL)
		device_fail(d, DEVICE_SYSTEM, "%s brings no interrupts", d->transport->name);
	else if (!d->transport->interrupt(d, &count))
		count = 0;
	return count;
}
