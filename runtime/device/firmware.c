/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "firmware.h"

const char *nfacc_result_text(enum nfacc_result r)
{
	switch (r) {
	case NFACC_OK:
		return "done";
	case NFACC_NO_ENGINE:
		return "there is no engine at this address";
	case NFACC_OTHER_CONTRACT:
		return "the engine is of another version of the contract";
	case NFACC_OTHER_OVERLAY:
		return "the image is for another overlay or protocol";
	case NFACC_TRUNCATED:
		return "the image is cut off";
	case NFACC_MALFORMED:
		return "this is no image for this width of the port";
	case NFACC_DAMAGED:
		return "the image is damaged (CRC)";
	case NFACC_REFUSED:
		return "the engine can't do this now";
	case NFACC_NOT_TAKEN:
		return "the engine found a fault in what reached it";
	case NFACC_TIMEOUT:
		return "the engine did not get ready in time";
	}
	return "unknown result";
}

/* ---- registers ---- */

uint32_t nfacc_status(const struct nfacc_dev *dev)
{
	return nfacc_rd32(dev, NFACC_REG_STATUS);
}

/* Reads LO before HI, since reading LO also latches HI. (The halves of the fingerprint don't
 * change.) */
uint64_t nfacc_count(const struct nfacc_dev *dev, uint32_t lo)
{
	uint32_t low = nfacc_rd32(dev, lo);

	return (uint64_t)nfacc_rd32(dev, lo + 4) << 32 | low;
}

uint64_t nfacc_fingerprint(const struct nfacc_dev *dev)
{
	return nfacc_count(dev, NFACC_REG_FINGERPRINT_LO);
}

void nfacc_read_counts(const struct nfacc_dev *dev, struct nfacc_counts *out)
{
	out->packets = nfacc_count(dev, NFACC_REG_PACKETS_LO);
	out->dropped = nfacc_count(dev, NFACC_REG_DROPPED_LO);
	out->unseen = nfacc_count(dev, NFACC_REG_UNSEEN_LO);
	out->batches = nfacc_count(dev, NFACC_REG_BATCHES_LO);
}

enum nfacc_result nfacc_identify(const struct nfacc_dev *dev)
{
	if (nfacc_rd32(dev, NFACC_REG_ID) != NFACC_ID)
		return NFACC_NO_ENGINE;
	if (nfacc_rd32(dev, NFACC_REG_VERSION) != NFACC_CONTRACT_VERSION)
		return NFACC_OTHER_CONTRACT;
	return NFACC_OK;
}

static enum nfacc_result command(const struct nfacc_dev *dev, uint32_t bit)
{
	nfacc_wr32(dev, NFACC_REG_CONTROL, bit);
	return (nfacc_status(dev) & NFACC_STATUS_REFUSED) != 0 ? NFACC_REFUSED : NFACC_OK;
}

/* Waits until (STATUS & bits) == value. Returns NFACC_OK or NFACC_TIMEOUT. */
static enum nfacc_result wait_for(const struct nfacc_dev *dev, uint32_t bits, uint32_t value)
{
	for (uint32_t i = 0; i < dev->polls; i++)
		if ((nfacc_status(dev) & bits) == value)
			return NFACC_OK;
	return NFACC_TIMEOUT;
}

/* ---- the image ---- */

/* Continues the CRC-32C `crc` with the four bytes of a word, lowest first. A table of 16 entries
 * takes four bits at a time: firmware may have little memory. */
static uint32_t crc32c(uint32_t crc, uint32_t word)
{
	static const uint32_t table[16] = {
		0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3,
		0x61c69362, 0x7198540d, 0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
		0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
	};

	crc ^= word;
	for (int i = 0; i < 8; i++)
		crc = crc >> 4 ^ table[crc & 15];
	return crc;
}

/* An image is: the fingerprint; sections with rising ids; a last header (0, 1); the CRC. A section
 * is a header (its id, the number of words in its payload) and the payload. */
enum nfacc_result nfacc_verify(const uint32_t *halves, size_t n, uint32_t data)
{
	/* A word has 1 << wide halves of 32 bits. The code shifts and does not divide, because a
	 * division might need a library. */
	unsigned wide = data == 64;
	size_t at = 2, sum;
	uint32_t id = 0, crc = UINT32_MAX;

	if (data != 32 && data != 64)
		return NFACC_MALFORMED;
	for (;;) {
		uint32_t next, words;
		if (n < at || n - at < 2)
			return NFACC_TRUNCATED;
		next = halves[at];
		words = halves[at + 1];
		at += 2;
		if (next == 0 ? words != 1 : next <= id)
			return NFACC_MALFORMED;
		if (words > (n - at) >> wide)
			return NFACC_TRUNCATED;
		if (next == 0)
			break;
		id = next;
		at += (size_t)words << wide;
	}
	if (n - at != (size_t)1 << wide || (wide != 0 && halves[at + 1] != 0))
		return NFACC_MALFORMED;
	sum = at;
	for (at = 0; at < sum; at++)
		crc = crc32c(crc, halves[at]);
	return halves[sum] == ~crc ? NFACC_OK : NFACC_DAMAGED;
}

enum nfacc_result nfacc_load(const struct nfacc_dev *dev, const uint32_t *halves, size_t n,
			     uint32_t data)
{
	enum nfacc_result r = nfacc_identify(dev);
	uint64_t fingerprint = nfacc_fingerprint(dev);

	if (r != NFACC_OK)
		return r;
	if (n < 2)
		return NFACC_TRUNCATED;
	if (((uint64_t)halves[1] << 32 | halves[0]) != fingerprint)
		return NFACC_OTHER_OVERLAY;
	r = nfacc_verify(halves, n, data);
	if (r != NFACC_OK)
		return r;
	r = command(dev, NFACC_CONTROL_BEGIN);
	if (r != NFACC_OK)
		return r;
	for (size_t i = 0; i < n; i++)
		nfacc_wr32(dev, data == 64 && i % 2 != 0 ? NFACC_REG_CONFIG_HI : NFACC_REG_CONFIG,
			   halves[i]);
	r = wait_for(dev, NFACC_STATUS_LOADING, 0);
	if (r != NFACC_OK)
		return r;
	if ((nfacc_status(dev) & NFACC_STATUS_LOAD) != NFACC_LOAD_OK << NFACC_STATUS_LOAD_LSB)
		return NFACC_NOT_TAKEN;
	return NFACC_OK;
}

/* ---- commands ---- */

/* An engine with time refuses to be armed for some hundred cycles, until it knows the next tick. An
 * attempt takes a write and a read, so more than six cycles. */
enum { ARM_ATTEMPTS = 64 };

enum nfacc_result nfacc_arm(const struct nfacc_dev *dev)
{
	enum nfacc_result r = command(dev, NFACC_CONTROL_ARM);

	for (int i = 1; i < ARM_ATTEMPTS && r == NFACC_REFUSED; i++)
		r = command(dev, NFACC_CONTROL_ARM);
	return r;
}

void nfacc_enable(const struct nfacc_dev *dev, bool on)
{
	nfacc_wr32(dev, NFACC_REG_ENABLE, on ? 1 : 0);
}

enum nfacc_result nfacc_wait_done(const struct nfacc_dev *dev)
{
	return wait_for(dev, NFACC_STATUS_DONE, NFACC_STATUS_DONE);
}

enum nfacc_result nfacc_stop(const struct nfacc_dev *dev)
{
	uint32_t status = nfacc_status(dev);
	enum nfacc_result r;

	if ((status & (NFACC_STATUS_ARMED | NFACC_STATUS_DRAINING | NFACC_STATUS_DONE)) == 0)
		return NFACC_REFUSED;
	r = command(dev, NFACC_CONTROL_STOP);
	return r == NFACC_OK ? nfacc_wait_done(dev) : r;
}

enum nfacc_result nfacc_reset(const struct nfacc_dev *dev)
{
	return command(dev, NFACC_CONTROL_RESET);
}

enum nfacc_result nfacc_wait_swap(const struct nfacc_dev *dev)
{
	enum nfacc_result r = wait_for(dev, NFACC_STATUS_SWAPPING, 0);
	uint32_t status = nfacc_status(dev);

	if (r != NFACC_OK)
		return r;
	if ((status & NFACC_STATUS_STAGED) != 0)
		return NFACC_REFUSED;
	return (status & NFACC_STATUS_LOADED) != 0 ? NFACC_OK : NFACC_NOT_TAKEN;
}

enum nfacc_result nfacc_swap(const struct nfacc_dev *dev)
{
	enum nfacc_result r = command(dev, NFACC_CONTROL_SWAP);

	return r == NFACC_OK ? nfacc_wait_swap(dev) : r;
}

enum nfacc_result nfacc_restart(const struct nfacc_dev *dev)
{
	return command(dev, NFACC_CONTROL_RESTART);
}

/* ---- values ---- */

/* Is the engine in a state in which the registers of configuration elements are read-only? */
static bool is_busy(const struct nfacc_dev *dev)
{
	return (nfacc_status(dev) & (NFACC_STATUS_ARMED | NFACC_STATUS_DRAINING |
				     NFACC_STATUS_LOADING | NFACC_STATUS_SWAPPING)) != 0;
}

static void write64(const struct nfacc_dev *dev, uint32_t lo, uint64_t value)
{
	nfacc_wr32(dev, lo, (uint32_t)value);
	nfacc_wr32(dev, lo + 4, (uint32_t)(value >> 32));
}

enum nfacc_result nfacc_set_lines(const struct nfacc_dev *dev, bool by_line, uint64_t first,
				  uint64_t count)
{
	if (is_busy(dev))
		return NFACC_REFUSED;
	nfacc_wr32(dev, NFACC_REG_BY_LINE, by_line ? 1 : 0);
	write64(dev, NFACC_REG_BASE_LO, first);
	write64(dev, NFACC_REG_COUNT_LO, count);
	return NFACC_OK;
}

enum nfacc_result nfacc_set_window(const struct nfacc_dev *dev, uint64_t batches)
{
	if (is_busy(dev))
		return NFACC_REFUSED;
	write64(dev, NFACC_REG_WINDOW_LO, batches);
	return NFACC_OK;
}

enum nfacc_result nfacc_set_limit(const struct nfacc_dev *dev, uint64_t batches)
{
	if (is_busy(dev))
		return NFACC_REFUSED;
	write64(dev, NFACC_REG_LIMIT_LO, batches);
	return NFACC_OK;
}

void nfacc_set_idle_after(const struct nfacc_dev *dev, uint32_t cycles)
{
	nfacc_wr32(dev, NFACC_REG_IDLE_AFTER, cycles);
}
