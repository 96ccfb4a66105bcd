/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/device/driver.h"

#include <inttypes.h>

#include "contract/image/image.h"
#include "runtime/device/nfacc_registers.h"

enum {
	LOAD_POLLS = 64,  /* the most reads of STATUS until the last words have come to the loader */
	LOOK_EVERY = 512, /* halves of words between two looks whether the load still goes on */
	ARM_ATTEMPTS = 64 /* an engine with time needs some hundred cycles to find the next tick */
};

static bool driver_ok(const struct device *d)
{
	return device_error(d)->fault == DEVICE_OK;
}

static uint32_t driver_status(struct device *d)
{
	return device_read(d, NFACC_REG_STATUS);
}

/* ---- what is there ---- */

bool driver_identify(struct device *d, uint64_t *fingerprint)
{
	uint32_t id = device_read(d, NFACC_REG_ID), version = device_read(d, NFACC_REG_VERSION);

	*fingerprint = device_read(d, NFACC_REG_FINGERPRINT_LO) |
		       (uint64_t)device_read(d, NFACC_REG_FINGERPRINT_HI) << 32;
	if (!driver_ok(d))
		return false;
	if (id != NFACC_ID)
		return device_fail(d, DEVICE_NO_ENGINE, "there is no engine at this address: its "
				   "first register reads 0x%08x, not 0x%08x", (unsigned)id,
				   NFACC_ID);
	if (version != NFACC_CONTRACT_VERSION)
		return device_fail(d, DEVICE_OTHER, "the engine has version %u of the contract, "
				   "and this program %u", (unsigned)version,
				   NFACC_CONTRACT_VERSION);
	return true;
}

bool driver_fits(struct device *d, const struct nfart_image *im)
{
	uint64_t hardware;

	if (!driver_identify(d, &hardware))
		return false;
	if (im->fp.hardware == hardware)
		return true;
	return device_fail(d, DEVICE_OTHER, "the image is for hardware %016" PRIx64 ", the engine "
			   "is %016" PRIx64 ": another overlay or protocol", im->fp.hardware,
			   hardware);
}

const char *driver_state(uint32_t status)
{
	uint32_t load = (status & NFACC_STATUS_LOAD) >> NFACC_STATUS_LOAD_LSB;
	bool armed = (status & NFACC_STATUS_ARMED) != 0;

	if ((status & NFACC_STATUS_SWAPPING) != 0)
		return "changes to another image";
	if (armed && (status & NFACC_STATUS_LOADING) != 0)
		return "is armed, while another image is being loaded, or was in part";
	if (armed && (status & NFACC_STATUS_STAGED) != 0)
		return "is armed, and another image is staged";
	if (armed)
		return "is armed";
	if ((status & NFACC_STATUS_DRAINING) != 0)
		return "is stopped, with records that wait for a reader";
	if (load == NFACC_LOAD_INCOMPLETE)
		return "holds no image: one was loaded in part";
	if ((status & NFACC_STATUS_LOADED) == 0)
		return load > NFACC_LOAD_INCOMPLETE ? "holds no image: the last one was refused" :
						      "holds no image";
	return (status & NFACC_STATUS_DONE) != 0 ? "is stopped" : "holds an image and is not armed";
}

/* ---- commands ---- */

/* Gives a command. *refused: the engine does not follow it. */
static bool driver_command(struct device *d, uint32_t bit, bool *refused)
{
	device_write(d, NFACC_REG_CONTROL, bit);
	*refused = (driver_status(d) & NFACC_STATUS_REFUSED) != 0;
	return driver_ok(d);
}

static bool driver_refused(struct device *d, const char *what)
{
	uint32_t status = driver_status(d);

	return driver_ok(d) && device_fail(d, DEVICE_REFUSED, "the engine refuses to %s: it %s",
					   what, driver_state(status));
}

/* Waits until the bits of STATUS have a value. */
static bool driver_wait(struct device *d, uint32_t bits, uint32_t value, const char *what)
{
	device_begin_wait(d, DEVICE_HANGS, what);
	while ((driver_status(d) & bits) != value && driver_ok(d))
		;
	device_end_wait(d);
	return driver_ok(d);
}

bool driver_send(struct device *d, const uint32_t *halves, size_t n, bool wide, uint32_t *result)
{
	uint32_t status = NFACC_STATUS_LOADING, came;
	bool refused;

	if (!driver_command(d, NFACC_CONTROL_BEGIN, &refused))
		return false;
	if (refused)
		return driver_refused(d, "begin a load");
	for (size_t i = 0; i < n && (status & NFACC_STATUS_LOADING) != 0; i++) {
		device_write(d, wide && i % 2 != 0 ? NFACC_REG_CONFIG_HI : NFACC_REG_CONFIG,
			     halves[i]);
		if (i % LOOK_EVERY == LOOK_EVERY - 1)
			status = driver_status(d);
	}
	status = NFACC_STATUS_LOADING;
	for (int i = 0; i < LOAD_POLLS && (status & NFACC_STATUS_LOADING) != 0; i++)
		status = driver_status(d);
	came = device_read(d, NFACC_REG_WORDS);
	if (driver_ok(d) && (status & NFACC_STATUS_LOADING) != 0 && came < (wide ? n / 2 : n))
		return device_fail(d, DEVICE_DAMAGED, "only %u of %zu words of the image reached "
				   "the engine", (unsigned)came, wide ? n / 2 : n);
	if (!driver_wait(d, NFACC_STATUS_LOADING, 0, "end the load"))
		return false;
	status = driver_status(d);
	*result = (status & NFACC_STATUS_LOAD) >> NFACC_STATUS_LOAD_LSB;
	return driver_ok(d);
}

bool driver_load(struct device *d, const struct nfart_image *im)
{
	static const char *const why[] = {
		[NFACC_LOAD_INCOMPLETE] = "it waits for more words",
		[NFACC_LOAD_FINGERPRINT] = "the fingerprint is wrong",
		[NFACC_LOAD_CRC] = "the CRC is wrong",
		[NFACC_LOAD_MALFORMED] = "an element is unknown, out of order or of the wrong size",
	};
	uint32_t result;

	if (!driver_fits(d, im) ||
	    !driver_send(d, im->device.halves, im->device.n, im->overlay.data == 64, &result))
		return false;
	if (result == NFACC_LOAD_OK)
		return true;
	if (result == NFACC_LOAD_NONE)
		return device_fail(d, DEVICE_RESET, "the engine was reset while the image was "
				   "loaded; it holds no image");
	return device_fail(d, DEVICE_DAMAGED, "the engine refuses what reached it: %s",
			   result < sizeof why / sizeof why[0] ? why[result] : "no reason is known");
}

bool driver_arm(struct device *d)
{
	bool refused = true;

	for (int i = 0; i < ARM_ATTEMPTS && refused; i++)
		if (!driver_command(d, NFACC_CONTROL_ARM, &refused))
			return false;
	return !refused || driver_refused(d, "be armed");
}

bool driver_begin_stop(struct device *d)
{
	uint32_t status = driver_status(d), bits = NFACC_STATUS_ARMED | NFACC_STATUS_DRAINING |
						   NFACC_STATUS_DONE;
	bool refused;

	if (!driver_ok(d))
		return false;
	if ((status & bits) == 0)
		return driver_refused(d, "stop");
	if (!driver_command(d, NFACC_CONTROL_STOP, &refused))
		return false;
	return !refused || driver_refused(d, "stop");
}

bool driver_stopped(struct device *d)
{
	return !driver_ok(d) || (driver_status(d) & NFACC_STATUS_DONE) != 0;
}

bool driver_stop(struct device *d)
{
	if (!driver_begin_stop(d))
		return false;
	device_begin_wait(d, DEVICE_STALLED, "send its last records, which wait for a reader,");
	while (!driver_stopped(d))
		;
	device_end_wait(d);
	return driver_ok(d);
}

bool driver_swap(struct device *d)
{
	uint32_t status;
	bool refused;

	if (!driver_command(d, NFACC_CONTROL_SWAP, &refused))
		return false;
	if (refused)
		return driver_refused(d, "swap");
	if (!driver_wait(d, NFACC_STATUS_SWAPPING, 0, "swap"))
		return false;
	status = driver_status(d);
	if (!driver_ok(d))
		return false;
	if ((status & NFACC_STATUS_STAGED) != 0)
		return device_fail(d, DEVICE_RESET, "the engine was reset before the swap");
	return (status & NFACC_STATUS_LOADED) != 0 ||
	       device_fail(d, DEVICE_DAMAGED, "the staged image was damaged; the engine holds none");
}

bool driver_swap_on(struct device *d, uint64_t labels)
{
	uint32_t status = driver_status(d);

	if (driver_ok(d) && (status & NFACC_STATUS_STAGED) == 0)
		return device_fail(d, DEVICE_REFUSED,
				   "labels swap while the engine is armed, and it %s",
				   driver_state(status));
	device_write(d, NFACC_REG_SWAP_ON_LO, (uint32_t)labels);
	device_write(d, NFACC_REG_SWAP_ON_HI, (uint32_t)(labels >> 32));
	return driver_ok(d);
}

bool driver_reset(struct device *d)
{
	bool refused;

	return driver_command(d, NFACC_CONTROL_RESET, &refused) &&
	       driver_wait(d, NFACC_STATUS_BUSY, 0, "come to rest");
}

/* ---- counts ---- */

/* A read of the low half keeps the high half of the same moment. */
static uint64_t driver_count(struct device *d, uint32_t lo)
{
	uint32_t low = device_read(d, lo);

	return (uint64_t)device_read(d, lo + 4) << 32 | low;
}

bool driver_read_counts(struct device *d, bool timed, struct driver_counts *c)
{
	c->packets = driver_count(d, NFACC_REG_PACKETS_LO);
	c->dropped = driver_count(d, NFACC_REG_DROPPED_LO);
	c->unseen = driver_count(d, NFACC_REG_UNSEEN_LO);
	c->batches = driver_count(d, NFACC_REG_BATCHES_LO);
	c->ticks_lost = timed ? driver_count(d, NFACC_REG_TICKS_LOST_LO) : 0;
	return driver_ok(d);
}

bool driver_read_accepted(struct device *d, uint32_t label, uint64_t *n)
{
	device_write(d, NFACC_REG_LABEL, label);
	*n = driver_count(d, NFACC_REG_ACCEPTED_LO);
	return driver_ok(d);
}
