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
	m->halves = calloc((size_t)overlay_most_words(o) + 1, 8);
	return m->halves != NULL;
}

void regmodel_free(struct regmodel *m)
{
	free(m->halves);
	m->halves = NULL;
}

/* ---- reading an image ---- */

static void show_load(struct regmodel *m)
{
	m->load_timer = 0;
	m->result = m->ending;
	if (m->staging)
		m->staged = m->result == RESULT_ok;
	else
		m->loaded = m->result == RESULT_ok;
	m->staging = false;
}

static void end_load(struct regmodel *m, uint32_t result)
{
	m->state = LOAD_OFF;
	m->ending = result;
	m->load_timer = m->lag;
	if (m->lag == 0)
		show_load(m);
}

enum { FIND_ARMS = 5 }; /* arms that are refused after a period has come */

/* Stores the value of a REGISTER element that is complete. Returns false if the value is out of
 * range. */
static bool set_value(struct regmodel *m, uint32_t id, uint64_t v)
{
	struct regmodel_values *to = m->staging ? &m->next : &m->now;

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
	uint32_t rows = element_count(m->el, &m->overlay), data = overlay_data(&m->overlay);
	uint32_t row_words = (m->el->width(&m->overlay) + data - 1) / data;

	if (m->row_left == 0) {
		uint32_t here = rows - 32 * m->maps++;
		if (here < 32 && word >> here != 0)
			return false;
		m->row_left = (uint32_t)__builtin_popcount(word) * row_words;
	} else {
		m->row_left--;
	}
	return (32 * m->maps >= rows && m->row_left == 0) == (m->left == 0);
}

static void take_head(struct regmodel *m)
{
	uint32_t id = m->halves[m->body - 2], n = m->halves[m->body - 1];
	uint64_t size = m->el == NULL ? 1 : element_words(m->el, &m->overlay);
	bool rows = m->el != NULL && m->el->storage == STORAGE_ROWS;

	if (id != (m->el == NULL ? 0 : (uint32_t)m->el->id) ||
	    (rows ? n == 0 || n > size : n != size)) {
		end_load(m, RESULT_malformed);
		return;
	}
	m->state = m->el == NULL ? LOAD_SUM : LOAD_BODY;
	m->left = n;
	m->maps = m->row_left = 0;
}

static void take_body(struct regmodel *m, uint32_t word)
{
	bool good = true;

	m->left--;
	if (m->el->storage == STORAGE_ROWS)
		good = take_rows(m, word);
	else if (m->el->storage == STORAGE_REGISTER && m->left == 0)
		good = set_value(m, m->el->id,
				 words_get(m->halves + m->body, 0, m->n - m->body > 1 ? 64 : 32));
	if (!good) {
		end_load(m, RESULT_malformed);
	} else if (m->left == 0) {
		m->state = LOAD_HEAD;
		m->body = m->n + DEVICE_HEAD;
		m->el = element_after(m, m->el->id);
	}
}

static uint32_t sum_of(const struct regmodel *m)
{
	uint32_t crc = 0;

	for (size_t i = 0; i < m->body; i++) {
		unsigned char byte[4];
		put_le32(byte, m->halves[i]);
		crc = crc32c(crc, byte, 4);
	}
	return crc;
}

/* Takes a configuration word in two halves. If words have 32 bits, `hi` is 0. */
static void take_word(struct regmodel *m, uint32_t lo, uint32_t hi)
{
	size_t step = overlay_data(&m->overlay) / 32;

	if (m->state == LOAD_OFF)
		return;
	m->words++;
	m->halves[m->n++] = lo;
	if (step == 2)
		m->halves[m->n++] = hi;
	switch (m->state) {
	case LOAD_PRINT:
		for (size_t i = m->n - step; i < m->n; i++)
			if (m->halves[i] != (uint32_t)(m->fingerprint >> 32 * i)) {
				end_load(m, RESULT_fingerprint);
				return;
			}
		if (m->n == DEVICE_FIRST) {
			m->state = LOAD_HEAD;
			m->body = m->n + DEVICE_HEAD;
		}
		break;
	case LOAD_HEAD:
		if (m->n == m->body)
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
	m->staging = m->overlay.shadow != 0 && (m->armed || m->draining);
	if (!m->staging) {
		m->loaded = false;
		m->limited = false;
	}
	m->staged = false;
	m->state = LOAD_PRINT;
	m->n = m->words = m->load_timer = 0;
	m->el = element_after(m, 0);
	m->result = RESULT_incomplete;
}

/* ---- following commands ---- */

static bool is_loading(const struct regmodel *m)
{
	return m->state != LOAD_OFF || m->load_timer != 0;
}

static void show_done(struct regmodel *m)
{
	if (m->draining && m->inside == 0 && m->done_timer == 0) {
		m->draining = false;
		m->done = true;
	}
}

static void end_stream(struct regmodel *m)
{
	m->armed = false;
	m->draining = true;
	m->done_timer = m->lag;
	show_done(m);
}

static void show_swap(struct regmodel *m)
{
	m->swapping = m->staged = false;
	m->swap_timer = 0;
	m->loaded = true;
	m->now = m->next;
	if (m->armed)
		m->packets = m->batches = 0;
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
		if (m->swapping || (m->overlay.shadow == 0 && m->armed))
			return false;
		regmodel_begin(m);
		return true;
	case CONTROL_arm:
		if (!m->loaded || !values_fit(m) || m->armed || m->draining || m->swapping)
			return false;
		if (m->finding != 0 && m->now.tick != 0) {
			m->finding--;
			return false;
		}
		m->armed = true;
		m->done = m->limited = m->overflow = false;
		m->packets = m->dropped = m->batches = 0;
		return true;
	case CONTROL_stop:
		m->limited = false;
		if (m->armed)
			end_stream(m);
		return true;
	case CONTROL_reset:
		m->armed = m->draining = m->done = m->limited = m->overflow = m->swapping = false;
		m->packets = m->dropped = m->unseen = m->batches = m->inside = 0;
		m->swap_timer = m->done_timer = 0;
		m->enable = 1;
		m->idle_after = 0;
		return true;
	case CONTROL_swap:
		if (!m->staged || m->swapping)
			return false;
		if (m->limited) {
			m->armed = true;
			m->limited = m->draining = m->done = false;
		}
		m->swapping = true;
		m->swap_timer = m->lag;
		if (m->lag == 0)
			show_swap(m);
		return true;
	case CONTROL_restart:
		return m->armed && !m->swapping;
	default:
		return false;
	}
}

/* Lets one unit of time pass: loads, swaps and ends of streams come nearer to their end. */
static void regmodel_tick(struct regmodel *m)
{
	if (m->load_timer != 0 && --m->load_timer == 0)
		show_load(m);
	if (m->swap_timer != 0 && --m->swap_timer == 0)
		show_swap(m);
	if (m->done_timer != 0)
		m->done_timer--;
	show_done(m);
}

static uint32_t status(const struct regmodel *m)
{
	return (m->armed ? STATUS_armed : 0u) | (m->done ? STATUS_done : 0u) |
	       (m->draining ? STATUS_draining : 0u) | (m->overflow ? STATUS_overflow : 0u) |
	       (is_loading(m) ? STATUS_loading : 0u) | (m->loaded ? STATUS_loaded : 0u) |
	       (m->staged ? STATUS_staged : 0u) | (m->swapping ? STATUS_swapping : 0u) |
	       (m->refused ? STATUS_refused : 0u) | (m->inside != 0 ? STATUS_busy : 0u) |
	       m->result * (uint32_t)STATUS_load;
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
		{ REG_PACKETS_LO, &m->packets }, { REG_DROPPED_LO, &m->dropped },
		{ REG_UNSEEN_LO, &m->unseen }, { REG_BATCHES_LO, &m->batches },
		{ REG_FINGERPRINT_LO, &m->fingerprint }, { REG_BASE_LO, &m->now.base },
		{ REG_COUNT_LO, &m->now.count }, { REG_WINDOW_LO, &m->now.window },
		{ REG_LIMIT_LO, &m->now.limit }, { REG_STOPPED_LO, &m->stopped },
		{ REG_TICKS_LOST_LO, &m->ticks_lost },
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
			 reg == REG_WORDS	? m->words :
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
		if (m->armed || m->draining || m->swapping || (is_loading(m) && !m->staging))
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
			m->refused = !regmodel_follow(m, value);
		return true;
	case REG_ENABLE:
		m->enable = value & 1;
		return true;
	case REG_IDLE_AFTER:
		m->idle_after = value;
		return true;
	case REG_CONFIG:
		m->low = value;
		if (m->overlay.data == 32)
			take_word(m, value, 0);
		return true;
	case REG_CONFIG_HI:
		take_word(m, m->low, value);
		return true;
	default:
		return false;
	}
}

/* ---- batches and output ---- */

void regmodel_batch(struct regmodel *m, uint32_t messages)
{
	if (!m->armed || m->enable == 0) {
		m->unseen++;
		return;
	}
	m->batches++;
	if (m->inside == REGMODEL_DEPTH) {
		m->dropped += messages;
		m->overflow = true;
		return;
	}
	m->packets++;
	m->inside += m->blocked;
	if (m->now.limit != 0 && m->packets >= m->now.limit) {
		m->limited = true;
		end_stream(m);
	}
}

void regmodel_block(struct regmodel *m, bool blocked)
{
	m->blocked = blocked;
	if (!blocked)
		m->inside = 0;
	show_done(m);
}
