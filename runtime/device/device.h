/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * device.h: an engine behind what a board has: PCI Express, UIO, character devices, a network, a
 * simulation. A transport (device_priv.h) brings 32-bit accesses to the 4 KiB of the engine's
 * registers, and words of its output, and never touches anything else.
 *
 * Everything ends: an access or a wait that takes longer than the time-out is a fault. A device
 * whose ID reads as all ones is taken for dead. The first fault stays: after it no access reaches
 * the device, reads give 0, and device_error() says what happened. So a caller may make several
 * accesses and ask once.
 *
 * One process at a time drives an engine, and one reads its output: device_lock().
 */
#ifndef NFACC_RUNTIME_DEVICE_H
#define NFACC_RUNTIME_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/nfart.h"

/* What can go wrong. Each is an exit code of nfactl (nfactl(1)), above those of nfart_status. */
enum device_fault {
	DEVICE_OK = 0,
	DEVICE_SYSTEM = NFART_SYSTEM, /* the device can't be opened */
	DEVICE_DEAD = 10,             /* it answers all ones */
	DEVICE_HANGS = 11,            /* an access or a wait took longer than the time-out */
	DEVICE_NO_ENGINE = 12,        /* what answers is no engine */
	DEVICE_OTHER = 13,            /* the engine is of another contract, or the image of another
				       * overlay or protocol */
	DEVICE_RESET = 14,            /* it was reset during a load */
	DEVICE_STALLED = 15,          /* its output stopped within a record, or before the end */
	DEVICE_BUSY = 16,             /* another process uses it */
	DEVICE_REFUSED = 17,          /* the engine can't do that now */
	DEVICE_DAMAGED = 18,          /* what came in, or out, is not what was sent */
	DEVICE_GONE = 19              /* the connection ended, or the bus answered with an error */
};

struct device_error {
	enum device_fault fault;
	char what[512]; /* one sentence without its full stop */
};

struct device_options {
	uint32_t timeout_ms; /* the most time for an access or a wait, at least 1 */
	/* A file that delivers the words of the output, little-endian, for transports that have
	 * none of their own; or NULL. */
	const char *stream;
	/* A file by which the memory of the engine's ring is read, in place of what the transport
	 * brings; or NULL. Its first byte has the address memory_base on the engine's bus. */
	const char *memory;
	uint64_t memory_base;
};

enum { DEVICE_REGISTERS = 4096, DEVICE_RECORD = 3 + 64 };

struct device;

/* The i-th transport: how its devices are written, and what it is. False: there are no more. */
bool device_transport_about(size_t i, const char **form, const char **about);

/* Opens a device, for example "uio:0"; the name must outlive it. NULL: *e says why. */
struct device *device_open(const char *name, const struct device_options *o,
			   struct device_error *e);
/* Closes it. An access that still hangs is left behind, with what it needs. */
void device_close(struct device *d);

/* What went wrong first; fault DEVICE_OK if nothing did. */
const struct device_error *device_error(const struct device *d);

/* Notes a fault, if it is the first. Returns false. */
bool device_fail(struct device *d, enum device_fault fault, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What a process is alone in doing with an engine. */
enum device_use { DEVICE_USE_REGISTERS, DEVICE_USE_STREAM };

/* Takes a lock, which ends with the process at the latest. False: DEVICE_BUSY, or another fault. */
bool device_lock(struct device *d, enum device_use use);

/* Gives up the lock of the registers, so that another process can drive the engine. */
void device_unlock(struct device *d);

/* Access to a register, by its offset in bytes: a multiple of 4 below 4096. A read after a fault
 * gives 0. */
uint32_t device_read(struct device *d, uint32_t offset);
void device_write(struct device *d, uint32_t offset, uint32_t value);

/* From now on what is waited for must happen within the time-out: reads after that are this fault.
 * `what` says what the engine is to do: "load the image". */
void device_begin_wait(struct device *d, enum device_fault fault, const char *what);
void device_end_wait(struct device *d);

/* Has the device an output that it delivers? */
bool device_has_stream(const struct device *d);

/* Reads up to n words of the engine's output. Returns how many came, after 100 ms at most without
 * one; -1 at the end of a stream that has one, or after a fault. */
long device_stream(struct device *d, uint64_t *words, size_t n);

/* The memory in which the engine's ring can be, and be read. */
struct device_room {
	uint64_t base, size; /* bytes on the engine's bus; size 0: the device brings no memory */
};

/* Finds that memory. False: a fault. */
bool device_memory_room(struct device *d, struct device_room *room);

/* Reads n bytes, at most DEVICE_MEMORY and a multiple of 64, at an address that is one, too. False:
 * a fault. */
enum { DEVICE_MEMORY = 4096 };
bool device_memory_read(struct device *d, uint64_t address, void *p, size_t n);

/* Can the device put batches at the engine's tap? A simulated one can. */
bool device_can_inject(const struct device *d);

/* Puts a batch at the tap, or lets `cycles` cycles pass. */
void device_inject(struct device *d, const struct nfart_batch *b);
void device_idle(struct device *d, uint32_t cycles);

/* Waits for an interrupt of the device, at most the time-out. Returns how many came since it was
 * bound to its driver; 0: none came, or this transport has none, which is a fault. */
uint32_t device_interrupt(struct device *d);

/* Makes a device reachable at the Unix socket `path` for the transport "socket", until a signal of
 * support/interrupt.h comes. False: see device_error(). */
bool device_serve(struct device *d, const char *path);

#endif
