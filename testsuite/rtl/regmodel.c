/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "testsuite/rtl/regmodel.h"

#include <stdlib.h>
#include <string.h>

#include "contract/crc.h"
#include "support/bits.h"

/* The fields of registers as masks, and the values of the field STATUS.load. */
enum {
#define FIELD(reg, name, lsb, width, text) reg##_##name = 1 << (lsb),
#include "contract/contract.def"
};
enum {
#define LOAD_RESULT(value, name, text) RESULT_##name = value,
#include "contract/contract.def"
};

/* Returns the overlay's first element with a larger id than this, or NULL if the image ends
 * here. */
static const struct element *element_after(const struct regmodel *m, uint32_t id)
{
	for (size_t i = 0; i < nelements; i++)
		if ((uint32_t)elements[i].id > id && element_count(&elements[i], &m->overlay) != 0)
			return &elements[i];
	return NULL;
}

bool regmodel_init(struct regmodel *m, const struct overlay *o, uint64_t fingerprint)
{
	memset(m, 0, sizeof *m);
	m->overlay = *o;
	m->fingerprint = fingerprint;
	m->enable = 1;
	m->load.halves = calloc((size_t)overlay_most_words(o) + 1, 8);
	return m->load.halves != NULL;
}

void regmodel_free(struct regmodel *m)
{
	free(m->load.halves);
	m->load.halves = NULL;
}

/* ---- reading an image ---- */

static void show_load(struct regmodel *m)
{
	m->timer.load = 0;
	m->load.result = m->load.ending;
	if (m->load.staging)
		m->is.staged = m->load.result == RESULT_ok;
	else
		m->is.loaded = m->load.result == RESULT_ok;
	m->load.staging = false;
}

static void end_load(struct regmodel *m, uint32_t result)
{
	m->load.state = LOAD_OFF;
	m->load.ending = result;
	m->timer.load = m->lag;
	if (m->lag == 0)
		show_load(m);
}

enum { FIND_ARMS = 5 }; /* arms that are refused after a period has come */

/* Stores the value of a REGISTER element that is complete. Returns false if the value is out of
 * range. */
static bool set_value(struct regmodel *m, uint32_t id, uint64_t v)
{
	struct regmodel_values *to = m->load.staging ? &m->next : &m->now;

	switch (id) {
	case EL_by_line:
		if (v > 1)
			return false;
		to->by_line = v;
		return true;
	case EL_base:
		to->base = v;
		return true;
	case EL_count:
		if (v > m->overlay.lines || (v == 0 && to->by_line != 0))
			return false;
		to->count = v;
		return true;
	case EL_window_size:
		if (v > m->overlay.window)
			return false;
		to->window = v;
		return true;
	case EL_tick:
		if (v >> 32 != 0)
			return false;
		to->tick = v;
		m->finding = FIND_ARMS;
		return true;
	case EL_end:
		if (v > 1)
			return false;
		to->end = v;
		return true;
	default:
		to->limit = v;
		return true;
	}
}

/* Takes a word of an element of rows. The word is a bit map of the next 32 rows, or part of a row.
 * Returns false if the map names rows that don't exist, or if the element has the wrong length. */
static bool take_rows(struct regmodel *m, uint32_t word)
{
	uint32_t rows = element_count(m->load.el, &m->overlay), data = overlay_data(&m->overlay);
	uint32_t row_words = (m->load.el->width(&m->overlay) + data - 1) / data;

	if (m->load.row_left == 0) {
		uint32_t here = rows - 32 * m->load.maps++;
		if (here < 32 && word >> here != 0)
			return false;
		m->load.row_left = (uint32_t)__builtin_popcount(word) * row_words;
	} else {
		m->load.row_left--;
	}
	return (32 * m->load.maps >= rows && m->load.row_left == 0) == (m->load.left == 0);
}

static void take_head(struct regmodel *m)
{
	uint32_t id = m->load.halves[m->load.body - 2], n = m->load.halves[m->load.body - 1];
	uint64_t size = m->load.el == NULL ? 1 : element_words(m->load.el, &m->overlay);
	bool rows = m->load.el != NULL && m->load.el->storage == STORAGE_ROWS;

	if (id != (m->load.el == NULL ? 0 : (uint32_t)m->load.el->id) ||
	    (rows ? n == 0 || n > size : n != size)) {
		end_load(m, RESULT_malformed);
		return;
	}
	m->load.state = m->load.el == NULL ? LOAD_SUM : LOAD_BODY;
	m->load.left = n;
	m->load.maps = m->load.row_left = 0;
}

static void take_body(struct regmodel *m, uint32_t word)
{
	bool good = true;

	m->load.left--;
	if (m->load.el->storage == STORAGE_ROWS)
		good = take_rows(m, word);
	else if (m->load.el->storage == STORAGE_REGISTER && m->load.left == 0)
		good = set_value(m, m->load.el->id,
				 words_get(m->load.halves + m->load.body, 0,
					   m->load.n - m->load.body > 1 ? 64 : 32));
	if (!good) {
		end_load(m, RESULT_malformed);
	} else if (m->load.left == 0) {
		m->load.state = LOAD_HEAD;
		m->load.body = m->load.n + DEVICE_HEAD;
		m->load.el = element_after(m, m->load.el->id);
	}
}

static uint32_t sum_of(const struct regmodel *m)
{
	uint32_t crc = 0;

	for (size_t i = 0; i < m->load.body; i++) {
		unsigned char byte[4];
		put_le32(byte, m->load.halves[i]);
		crc = crc32c(crc, byte, 4);
	}
	return crc;
}

/* Takes a configuration word in two halves. If words have 32 bits, `hi` is 0. */
static void take_word(struct regmodel *m, uint32_t lo, uint32_t hi)
{
	size_t step = overlay_data(&m->overlay) / 32;

	if (m->load.state == LOAD_OFF)
		return;
	m->load.words++;
	m->load.halves[m->load.n++] = lo;
	if (step == 2)
		m->load.halves[m->load.n++] = hi;
	switch (m->load.state) {
	case LOAD_PRINT:
		for (size_t i = m->load.n - step; i < m->load.n; i++)
			if (m->load.halves[i] != (uint32_t)(m->fingerprint >> 32 * i)) {
				end_load(m, RESULT_fingerprint);
				return;
			}
		if (m->load.n == DEVICE_FIRST) {
			m->load.state = LOAD_HEAD;
			m->load.body = m->load.n + DEVICE_HEAD;
		}
		break;
	case LOAD_HEAD:
		if (m->load.n == m->load.body)
			take_head(m);
		break;
	case LOAD_BODY:
		take_body(m, lo);
		break;
	case LOAD_SUM:
		end_load(m, lo == sum_of(m) && hi == 0 ? RESULT_ok : RESULT_crc);
		break;
	case LOAD_OFF:
		break;
	}
}

static void regmodel_begin(struct regmodel *m)
{
	m->load.staging = m->overlay.shadow != 0 && (m->is.armed || m->is.draining);
	if (!m->load.staging) {
		m->is.loaded = false;
		m->is.limited = false;
	}
	m->is.staged = false;
	m->load.state = LOAD_PRINT;
	m->load.n = m->load.words = m->timer.load = 0;
	m->load.el = element_after(m, 0);
	m->load.result = RESULT_incomplete;
}

/* ---- following commands ---- */

static bool is_loading(const struct regmodel *m)
{
	return m->load.state != LOAD_OFF || m->timer.load != 0;
}

static void show_done(struct regmodel *m)
{
	if (m->is.draining && m->count.inside == 0 && m->timer.done == 0) {
		m->is.draining = false;
		m->is.done = true;
	}
}

static void end_stream(struct regmodel *m)
{
	m->is.armed = false;
	m->is.draining = true;
	m->timer.done = m->lag;
	show_done(m);
}

static void show_swap(struct regmodel *m)
{
	m->is.swapping = m->is.staged = false;
	m->timer.swap = 0;
	m->is.loaded = true;
	m->now = m->next;
	if (m->is.armed)
		m->count.packets = m->count.batches = 0;
}

static bool values_fit(const struct regmodel *m)
{
	return m->now.count <= m->overlay.lines && m->now.window <= m->overlay.window &&
	       (m->now.by_line == 0 || m->now.count != 0);
}

/* Follows the command. Returns false if the engine refuses it. */
static bool regmodel_follow(struct regmodel *m, uint32_t bits)
{
	switch (bits) {
	case CONTROL_begin:
		if (m->is.swapping || (m->overlay.shadow == 0 && m->is.armed))
			return false;
		regmodel_begin(m);
		return true;
	case CONTROL_arm:
		if (!m->is.loaded || !values_fit(m) || m->is.armed || m->is.draining ||
		    m->is.swapping)
			return false;
		if (m->finding != 0 && m->now.tick != 0) {
			m->finding--;
			return false;
		}
		m->is.armed = true;
		m->is.done = m->is.limited = m->is.overflow = false;
		m->count.packets = m->count.dropped = m->count.batches = 0;
		return true;
	case CONTROL_stop:
		m->is.limited = false;
		if (m->is.armed)
			end_stream(m);
		return true;
	case CONTROL_reset:
		m->is.armed = m->is.draining = m->is.done = m->is.limited = m->is.overflow =
			m->is.swapping = false;
		m->count.packets = m->count.dropped = m->count.unseen = m->count.batches =
			m->count.inside = 0;
		m->timer.swap = m->timer.done = 0;
		m->enable = 1;
		m->idle_after = 0;
		return true;
	case CONTROL_swap:
		if (!m->is.staged || m->is.swapping)
			return false;
		if (m->is.limited) {
			m->is.armed = true;
			m->is.limited = m->is.draining = m->is.done = false;
		}
		m->is.swapping = true;
		m->timer.swap = m->lag;
		if (m->lag == 0)
			show_swap(m);
		return true;
	case CONTROL_restart:
		return m->is.armed && !m->is.swapping;
	default:
		return false;
	}
}

/* Lets one unit of time pass: loads, swaps and ends of streams come nearer to their end. */
static void regmodel_tick(struct regmodel *m)
{
	if (m->timer.load != 0 && --m->timer.load == 0)
		show_load(m);
	if (m->timer.swap != 0 && --m->timer.swap == 0)
		show_swap(m);
	if (m->timer.done != 0)
		m->timer.done--;
	show_done(m);
}

static uint32_t status(const struct regmodel *m)
{
	return (m->is.armed ? STATUS_armed : 0u) | (m->is.done ? STATUS_done : 0u) |
	       (m->is.draining ? STATUS_draining : 0u) | (m->is.overflow ? STATUS_overflow : 0u) |
	       (is_loading(m) ? STATUS_loading : 0u) | (m->is.loaded ? STATUS_loaded : 0u) |
	       (m->is.staged ? STATUS_staged : 0u) | (m->is.swapping ? STATUS_swapping : 0u) |
	       (m->is.refused ? STATUS_refused : 0u) | (m->count.inside != 0 ? STATUS_busy : 0u) |
	       m->load.result * (uint32_t)STATUS_load;
}

/* ---- accesses by the bus ---- */

/* Is it a register that only an engine with time has? */
static bool is_of_time(int reg)
{
	switch (reg) {
	case REG_STOPPED_LO:
	case REG_STOPPED_HI:
	case REG_TICKS_LOST_LO:
	case REG_TICKS_LOST_HI:
	case REG_TICK:
	case REG_END:
		return true;
	default:
		return false;
	}
}

/* Returns the number of the register at an offset that can be read ('R') or written ('W'), or -1 if
 * there is none. */
static int regmodel_find(const struct regmodel *m, uint32_t offset, char how)
{
	for (int i = 0; i < REGMODEL_NREGISTERS; i++)
		if (contract_registers[i].offset == offset)
			return i == REG_CONFIG_HI && m->overlay.data != 64	 ? -1 :
			       is_of_time(i) && m->overlay.time != OVERLAY_TIME_YES ? -1 :
			       strchr(contract_registers[i].access, how) == NULL ? -1 : i;
	return -1;
}

/* If the register holds one half of a 64-bit value, returns this value and stores in *low the
 * register of its low half. Returns NULL for other registers. */
static uint64_t *regmodel_pair(struct regmodel *m, int reg, int *low)
{
	const struct { int reg; uint64_t *value; } pairs[] = {
		{ REG_PACKETS_LO, &m->count.packets }, { REG_DROPPED_LO, &m->count.dropped },
		{ REG_UNSEEN_LO, &m->count.unseen }, { REG_BATCHES_LO, &m->count.batches },
		{ REG_FINGERPRINT_LO, &m->fingerprint }, { REG_BASE_LO, &m->now.base },
		{ REG_COUNT_LO, &m->now.count }, { REG_WINDOW_LO, &m->now.window },
		{ REG_LIMIT_LO, &m->now.limit }, { REG_STOPPED_LO, &m->count.stopped },
		{ REG_TICKS_LOST_LO, &m->count.ticks_lost },
	};

	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
		if (reg == pairs[i].reg || reg == pairs[i].reg + 1) {
			*low = pairs[i].reg;
			return pairs[i].value;
		}
	return NULL;
}

bool regmodel_read(struct regmodel *m, uint32_t offset, uint32_t *value)
{
	int reg = regmodel_find(m, offset, 'R'), low = 0;
	uint64_t *both = reg < 0 ? NULL : regmodel_pair(m, reg, &low);

	*value = 0;
	if (both != NULL && reg == low) {
		m->high[low] = (uint32_t)(*both >> 32);
		*value = (uint32_t)*both;
	} else if (both != NULL) {
		*value = m->high[low];
	} else if (reg == REG_STATUS) {
		*value = status(m);
		regmodel_tick(m);
	} else {
		*value = reg == REG_ID		? CONTRACT_ID :
			 reg == REG_VERSION	? CONTRACT_VERSION :
			 reg == REG_WORDS	? m->load.words :
			 reg == REG_ENABLE	? m->enable :
			 reg == REG_IDLE_AFTER	? m->idle_after :
			 reg == REG_BY_LINE	? (uint32_t)m->now.by_line :
			 reg == REG_TICK	? (uint32_t)m->now.tick :
			 reg == REG_END		? (uint32_t)m->now.end : 0;
	}
	return reg >= 0;
}

bool regmodel_write(struct regmodel *m, uint32_t offset, uint32_t value)
{
	int reg = regmodel_find(m, offset, 'W'), low = 0;
	uint64_t *both = reg < 0 ? NULL : regmodel_pair(m, reg, &low);

	if (both != NULL || reg == REG_BY_LINE || reg == REG_TICK || reg == REG_END) {
		if (m->is.armed || m->is.draining || m->is.swapping ||
		    (is_loading(m) && !m->load.staging))
			return false;
		if (reg == REG_BY_LINE)
			m->now.by_line = value & 1;
		else if (reg == REG_TICK)
			m->now.tick = value;
		else if (reg == REG_END)
			m->now.end = value & 1;
		else if (reg == low)
			*both = *both >> 32 << 32 | value;
		else
			*both = (uint64_t)value << 32 | (uint32_t)*both;
		return true;
	}
	switch (reg) {
	case REG_CONTROL:
		if (value != 0)
			m->is.refused = !regmodel_follow(m, value);
		return true;
	case REG_ENABLE:
		m->enable = value & 1;
		return true;
	case REG_IDLE_AFTER:
		m->idle_after = value;
		return true;
	case REG_CONFIG:
		m->load.low = value;
		if (m->overlay.data == 32)
			take_word(m, value, 0);
		return true;
	case REG_CONFIG_HI:
		take_word(m, m->load.low, value);
		return true;
	default:
		return false;
	}
}

/* ---- batches and output ---- */

void regmodel_batch(struct regmodel *m, uint32_t messages)
{
	if (!m->is.armed || m->enable == 0) {
		m->count.unseen++;
		return;
	}
	m->count.batches++;
	if (m->count.inside == REGMODEL_DEPTH) {
		m->count.dropped += messages;
		m->is.overflow = true;
		return;
	}
	m->count.packets++;
	m->count.inside += m->is.blocked;
	if (m->now.limit != 0 && m->count.packets >= m->now.limit) {
		m->is.limited = true;
		end_stream(m);
	}
}

void regmodel_block(struct regmodel *m, bool blocked)
{
	m->is.blocked = blocked;
	if (!blocked)
		m->count.inside = 0;
	show_done(m);
}
