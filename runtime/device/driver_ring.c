/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "runtime/device/driver.h"
#include "runtime/device/nfacc_registers.h"
#include "support/bits.h"
#include "support/clock.h"

enum { BEAT_BYTES = 64, PAGE_BYTES = 4096, QUIET_CYCLES = 64, MOST_POLLS = 64, QUIET_NS = 1000000 };
enum { RING_IN_USE = NFACC_RING_STATUS_ON | NFACC_RING_STATUS_BUSY };

static void ring_write_64(struct device *d, uint32_t offset, uint64_t value)
{
	device_write(d, offset, (uint32_t)value);
	device_write(d, offset + 4, (uint32_t)(value >> 32));
}

static uint64_t ring_count(struct device *d, uint32_t offset)
{
	uint64_t low = device_read(d, offset);

	return low | (uint64_t)device_read(d, offset + 4) << 32;
}

/* Lets the engine work: in a simulation some cycles, else for a while. */
static void ring_pause(struct device *d)
{
	struct timespec quiet = { .tv_nsec = QUIET_NS };

	if (device_can_inject(d))
		device_idle(d, QUIET_CYCLES);
	else
		nanosleep(&quiet, NULL);
}

/* Ends a ring that is on, and waits until all is in memory: nobody else reads it, for the caller
 * has the locks. */
static bool ring_end(struct device *d)
{
	const uint32_t runs = NFACC_STATUS_ARMED | NFACC_STATUS_DRAINING;

	if ((device_read(d, NFACC_REG_RING_STATUS) & RING_IN_USE) == 0)
		return device_error(d)->fault == DEVICE_OK;
	if ((device_read(d, NFACC_REG_STATUS) & runs) != 0)
		return device_fail(d, DEVICE_REFUSED, "the ring is in use by a stream that has not "
				   "ended: stop or reset the engine first");
	device_write(d, NFACC_REG_RING_CONTROL, 0);
	device_begin_wait(d, DEVICE_STALLED, "write the rest of its ring to memory");
	while (device_error(d)->fault == DEVICE_OK &&
	       (device_read(d, NFACC_REG_RING_STATUS) & RING_IN_USE) != 0)
		;
	device_end_wait(d);
	return device_error(d)->fault == DEVICE_OK;
}

/* Can the ring be there? */
static bool ring_fits(struct device *d, uint64_t *base, uint64_t bytes)
{
	struct device_room room;

	if (!device_memory_room(d, &room))
		return false;
	if (room.size == 0)
		return device_fail(d, DEVICE_REFUSED, "the engine has no ring in memory, or the "
				   "device brings nothing of its memory, and --memory names no "
				   "file");
	*base = *base == DRIVER_RING_ANYWHERE ? room.base : *base;
	if (*base % PAGE_BYTES != 0)
		return device_fail(d, DEVICE_REFUSED, "the ring can't be at 0x%" PRIx64 ", which "
				   "is no multiple of %d", *base, PAGE_BYTES);
	if (bytes == 0 || bytes % PAGE_BYTES != 0 || bytes > room.size)
		return device_fail(d, DEVICE_REFUSED, "the ring can't have %" PRIu64 " bytes: the "
				   "device has %" PRIu64 ", in pages of %d", bytes, room.size,
				   PAGE_BYTES);
	if (*base < room.base || *base - room.base > room.size - bytes)
		return device_fail(d, DEVICE_REFUSED, "the ring can't be at 0x%" PRIx64 ": the "
				   "device has %" PRIu64 " bytes of memory from 0x%" PRIx64 " on",
				   *base, room.size, room.base);
	return true;
}

/* Begins a run of a ring that is off: the engine writes from its first beat on. */
static bool ring_begin(struct device *d, struct driver_ring *r, uint64_t base, uint64_t bytes)
{
	*r = (struct driver_ring){ .base = base, .beats = bytes / BEAT_BYTES };
	r->run = (uint32_t)(clock_nanoseconds() >> 10) & 0xffffff;
	ring_write_64(d, NFACC_REG_RING_BASE_LO, r->base);
	ring_write_64(d, NFACC_REG_RING_SIZE_LO, bytes);
	device_write(d, NFACC_REG_RING_RUN, r->run);
	if (device_read(d, NFACC_REG_RING_RUN) != r->run)
		return device_fail(d, DEVICE_REFUSED, "the engine has no ring in memory");
	device_write(d, NFACC_REG_RING_CONTROL,
		     NFACC_RING_CONTROL_ON | NFACC_RING_CONTROL_ONLY | NFACC_RING_CONTROL_WAIT);
	r->on = device_error(d)->fault == DEVICE_OK;
	return r->on;
}

bool driver_ring_start(struct device *d, struct driver_ring *r, uint64_t base, uint64_t bytes)
{
	unsigned char last[BEAT_BYTES];

	/* A device's file does not say how long its memory is, and the engine must not write behind
	 * it. So the last beat must be there. */
	if (!ring_fits(d, &base, bytes) || !ring_end(d) ||
	    !device_memory_read(d, base + bytes - BEAT_BYTES, last, BEAT_BYTES))
		return false;
	return ring_begin(d, r, base, bytes);
}

bool driver_ring_arm(struct device *d, struct driver_ring *r)
{
	if (!r->gave_up)
		return true;
	if (!ring_end(d))
		return false;
	if (ring_count(d, NFACC_REG_RING_WRITTEN_LO) != r->read || r->next != r->have ||
	    (r->count != 0 && r->at <= r->count))
		return device_fail(d, DEVICE_REFUSED, "the ring still has records of the stream "
				   "before, which was too long for it: stream reads them");
	return ring_begin(d, r, r->base, r->beats * BEAT_BYTES);
}

bool driver_ring_stop(struct device *d, struct driver_ring *r, uint64_t *lost)
{
	uint64_t written = 0, before, all;
	int quiet = 0; /* looks since something has come to memory */

	*lost = 0;
	ring_write_64(d, NFACC_REG_RING_READ_LO, r->read);
	if (!driver_begin_stop(d))
		return false;
	device_begin_wait(d, DEVICE_STALLED, "write its last records to the ring");
	while (!driver_stopped(d)) {
		before = written;
		written = ring_count(d, NFACC_REG_RING_WRITTEN_LO);
		quiet = written == before ? quiet + 1 : 0;
		if (quiet == MOST_POLLS) {
			device_write(d, NFACC_REG_RING_CONTROL,
				     NFACC_RING_CONTROL_ON | NFACC_RING_CONTROL_ONLY);
			r->gave_up = true;
		}
		ring_pause(d);
	}
	device_end_wait(d);
	all = ring_count(d, NFACC_REG_RING_LOST_LO);
	*lost = all - r->lost;
	r->lost = all;
	return device_error(d)->fault == DEVICE_OK;
}

/* Waits until there are beats to read: as long as something is on its way to memory, and some
 * cycles more. Returns how many there are; 0: there is none at the moment, or there was a fault. */
static uint64_t ring_beats(struct device *d, const struct driver_ring *r)
{
	for (int i = 0; i < MOST_POLLS && device_error(d)->fault == DEVICE_OK; i++) {
		uint32_t status = device_read(d, NFACC_REG_RING_STATUS);
		uint64_t written = ring_count(d, NFACC_REG_RING_WRITTEN_LO);

		if (device_error(d)->fault != DEVICE_OK)
			return 0;
		if (written - r->read > r->beats) {
			device_fail(d, DEVICE_RESET, "the ring was started anew while it was read");
			return 0;
		}
		if (written != r->read)
			return written - r->read;
		if ((status & NFACC_RING_STATUS_ERROR) != 0)
			device_fail(d, DEVICE_DAMAGED, "the memory of the ring answered %s, and "
				    "%" PRIu64 " records were lost",
				    (status & NFACC_RING_STATUS_RESPONSE) ==
						    3u << NFACC_RING_STATUS_RESPONSE_LSB ?
					    "DECERR" : "SLVERR",
				    ring_count(d, NFACC_REG_RING_LOST_LO));
		if ((status & NFACC_RING_STATUS_BUSY) == 0 && i != 0)
			return 0;
		ring_pause(d);
	}
	return 0;
}

/* Reads beats from memory, as many as there are, lie in a row and have room. */
static bool ring_fetch(struct device *d, struct driver_ring *r)
{
	uint64_t n = ring_beats(d, r), place = r->read % r->beats;

	n = n < sizeof r->beat / BEAT_BYTES ? n : sizeof r->beat / BEAT_BYTES;
	n = n < r->beats - place ? n : r->beats - place;
	if (n == 0 ||
	    !device_memory_read(d, r->base + place * BEAT_BYTES, r->beat, n * BEAT_BYTES))
		return false;
	r->next = 0;
	r->have = (uint32_t)n;
	r->read += n;
	return true;
}

/* Takes the next beat. False: it is not what the ring should have there, which is a fault. */
static bool ring_take_beat(struct device *d, struct driver_ring *r)
{
	uint64_t number = r->read - (r->have - r->next), lap = number / r->beats;

	for (int i = 0; i < 8; i++)
		r->word[i] = get_le64(r->beat + r->next * BEAT_BYTES + 8 * i);
	r->next++;
	r->at = 1;
	r->count = r->word[0] & 7;
	if (r->count != 0 && (r->word[0] >> 8 & 0xffffff) == r->run &&
	    r->word[0] >> 32 == (lap & UINT32_MAX))
		return true;
	return device_fail(d, DEVICE_DAMAGED, "beat %" PRIu64 " of the ring has the header %016"
			   PRIx64 ", and is of another run or lap", number % r->beats, r->word[0]);
}

long driver_ring_words(struct device *d, struct driver_ring *r, uint64_t *words, size_t n)
{
	size_t have = 0;

	if (r->at > r->count || r->count == 0) {
		if ((r->next == r->have && !ring_fetch(d, r)) || !ring_take_beat(d, r))
			return device_error(d)->fault == DEVICE_OK ? 0 : -1;
	}
	while (have < n && r->at <= r->count)
		words[have++] = r->word[r->at++];
	/* The engine gets their room when all of them are taken. */
	if (r->at > r->count && r->next == r->have)
		ring_write_64(d, NFACC_REG_RING_READ_LO, r->read);
	return device_error(d)->fault == DEVICE_OK ? (long)have : -1;
}
