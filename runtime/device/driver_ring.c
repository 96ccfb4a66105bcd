/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <inttypes.h>
#include <string.h>

#include "runtime/device/driver.h"
#include "runtime/device/nfacc_registers.h"
#include "support/bits.h"
#include "support/clock.h"

enum { BEAT_BYTES = 64, PAGE_BYTES = 4096, QUIET_CYCLES = 64, MOST_POLLS = 64 };

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

bool driver_ring_start(struct device *d, struct driver_ring *r, uint64_t bytes)
{
	uint64_t size = device_memory_size(d);

	if (size == 0)
		return device_fail(d, DEVICE_REFUSED, "the engine has no ring in memory, or the "
				   "device brings nothing of its memory");
	if (bytes == 0 || bytes % PAGE_BYTES != 0 || bytes > size)
		return device_fail(d, DEVICE_REFUSED, "the ring can't have %" PRIu64 " bytes: the "
				   "device has %" PRIu64 ", in pages of %d", bytes, size, PAGE_BYTES);
	if ((device_read(d, NFACC_REG_RING_STATUS) & (NFACC_RING_STATUS_ON | NFACC_RING_STATUS_BUSY)) != 0)
		return device_fail(d, DEVICE_REFUSED, "the ring is in use");
	*r = (struct driver_ring){ .beats = bytes / BEAT_BYTES };
	r->run = (uint32_t)(clock_nanoseconds() >> 10) & 0xffffff;
	ring_write_64(d, NFACC_REG_RING_BASE_LO, r->base);
	ring_write_64(d, NFACC_REG_RING_SIZE_LO, bytes);
	device_write(d, NFACC_REG_RING_RUN, r->run);
	device_write(d, NFACC_REG_RING_CONTROL,
		     NFACC_RING_CONTROL_ON | NFACC_RING_CONTROL_ONLY | NFACC_RING_CONTROL_WAIT);
	r->on = device_error(d)->fault == DEVICE_OK;
	return r->on;
}

/* Waits until there is a beat to read: as long as something is on its way to memory, and some cycles
 * more. Returns false if there is none at the moment, or after a fault. */
static bool ring_has_beat(struct device *d, const struct driver_ring *r)
{
	for (int i = 0; i < MOST_POLLS && device_error(d)->fault == DEVICE_OK; i++) {
		uint32_t status = device_read(d, NFACC_REG_RING_STATUS);
		uint64_t written = ring_count(d, NFACC_REG_RING_WRITTEN_LO);

		if (device_error(d)->fault != DEVICE_OK)
			return false;
		if (written - r->read > r->beats)
			return device_fail(d, DEVICE_RESET, "the ring was started anew while it was read");
		if (written != r->read)
			return true;
		if ((status & NFACC_RING_STATUS_ERROR) != 0)
			return device_fail(d, DEVICE_DAMAGED, "the memory of the ring answered %s, and "
					   "%" PRIu64 " records were lost",
					   (status & NFACC_RING_STATUS_RESPONSE) >>
						   NFACC_RING_STATUS_RESPONSE_LSB == 3 ? "DECERR" : "SLVERR",
					   ring_count(d, NFACC_REG_RING_LOST_LO));
		if ((status & NFACC_RING_STATUS_BUSY) == 0 && i != 0)
			return false;
		if (device_can_inject(d))
			device_idle(d, QUIET_CYCLES);
	}
	return false;
}

/* Reads the next beat. False: it is not what the ring should have there, which is a fault. */
static bool ring_take_beat(struct device *d, struct driver_ring *r)
{
	unsigned char beat[BEAT_BYTES];
	uint64_t lap = r->read / r->beats;

	device_memory(d, r->base + r->read % r->beats * BEAT_BYTES, beat, sizeof beat);
	for (int i = 0; i < 8; i++)
		r->word[i] = get_le64(beat + 8 * i);
	r->at = 1;
	r->count = r->word[0] & 7;
	if (r->count != 0 && (r->word[0] >> 8 & 0xffffff) == r->run &&
	    r->word[0] >> 32 == (lap & UINT32_MAX))
		return true;
	return device_fail(d, DEVICE_DAMAGED, "beat %" PRIu64 " of the ring has the header %016" PRIx64
			   ", and is of another run or lap", r->read % r->beats, r->word[0]);
}

long driver_ring_words(struct device *d, struct driver_ring *r, uint64_t *words, size_t n)
{
	size_t have = 0;

	if (r->at > r->count || r->count == 0) {
		if (!ring_has_beat(d, r) || !ring_take_beat(d, r))
			return device_error(d)->fault == DEVICE_OK ? 0 : -1;
	}
	while (have < n && r->at <= r->count)
		words[have++] = r->word[r->at++];
	if (r->at > r->count)
		ring_write_64(d, NFACC_REG_RING_READ_LO, ++r->read);
	return device_error(d)->fault == DEVICE_OK ? (long)have : -1;
}
