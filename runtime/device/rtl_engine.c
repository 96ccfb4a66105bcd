/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/device/rtl_engine.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contract/contract.h"
#include "runtime/device/nfacc_registers.h"
#include "support/vec.h"

enum {
	MOST_ANSWER = 100000, /* the most cycles to wait for an answer */
	RESET_CYCLES = 8,
	LOAD_POLLS = 64 /* The most reads of STATUS until the last words of an image are loaded. */
};

struct write {
	uint32_t address, strobe;
	uint64_t data;
};

struct rtl_engine {
	struct rtl_options o;
	/* The library with the model, and what it has. */
	struct {
		void *handle;
		struct nfacc_model *(*make)(const char *vcd);
		void (*end)(struct nfacc_model *m);
		void (*clock)(struct nfacc_model *m, const struct nfacc_model_in *in,
			      struct nfacc_model_out *out);
		void (*states)(const struct nfacc_model *m, uint32_t *words);
		/* NULL: the model was built before there were rings. */
		const unsigned char *(*memory)(const struct nfacc_model *m, uint64_t *size);
		const struct nfacc_model_info *info;
	} lib;
	struct nfacc_model *model;
	struct nfacc_model_in in;
	struct nfacc_model_out out;
	uint64_t cycles;
	/* Writes of registers. */
	struct {
		VEC(struct write) queue;
		size_t next;     /* index in `queue` of the next write */
		/* Has the engine taken the address and the data of the next write? */
		bool aw_done, w_done;
		uint64_t unanswered;
	} writes;
	uint64_t record[RECORD_MOST_WORDS];
	/* The payload of a batch as the model takes it. */
	uint64_t payload[NFACC_MODEL_SLOTS * RECORD_MOST_PAYLOAD];
	uint32_t words;          /* how many words of `record` were received */
	struct record_names names; /* those of the last record */
	/* With `any`, the output offered a word in the last cycle, and the word was not taken.
	 * These are its data and its tlast. */
	struct {
		bool any;
		uint64_t data;
		bool last;
	} held;
	char why[256];
};

static void fault(struct rtl_engine *en, const char *what)
{
	if (en->why[0] == 0)
		snprintf(en->why, sizeof en->why, "%s (cycle %" PRIu64 ")", what, en->cycles);
}

/* ---- finding and opening ---- */

void rtl_models(char *out, size_t n)
{
	const char *models = getenv("NFACC_MODELS"), *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (models != NULL && models[0] != 0)
		snprintf(out, n, "%s", models);
	else if (cache != NULL && cache[0] != 0)
		snprintf(out, n, "%s/nfacc/models", cache);
	else
		snprintf(out, n, "%s/.cache/nfacc/models", home != NULL ? home : ".");
}

/* dlopen() takes a name for a path only if it has a slash. A model is never unloaded: memory that
 * Verilator allocates once in a process would leak with it. */
static void *open_file(const char *path)
{
	char slash[4200];

	snprintf(slash, sizeof slash, "%s%s", strchr(path, '/') == NULL ? "./" : "", path);
	return dlopen(slash, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static bool ends_with_so(const char *s)
{
	size_t n = strlen(s);

	return n > 3 && strcmp(s + n - 3, ".so") == 0;
}

/* Finds a model for the hardware `fingerprint` in a folder and writes its path to out. Of several
 * variants it takes the plainest, the first in `variants`. False: there is none. */
static bool find_model(const char *dir, uint64_t fingerprint, char *out, size_t n)
{
	static const char *const variants[] = { "000", "100", "010", "110",
						"001", "101", "011", "111" };
	static const char *const states[] = { "", "-memory", "-memory-banks" };

	for (size_t k = 0; k < sizeof states / sizeof states[0]; k++)
		for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
			snprintf(out, n, "%s/nfacc-%016" PRIx64 "-%s%s.so", dir, fingerprint,
				 variants[i], states[k]);
			if (access(out, R_OK) == 0)
				return true;
		}
	return false;
}

static bool load_symbols(struct rtl_engine *en)
{
	const struct nfacc_model_info *(*info)(void);

	/* POSIX allows this conversion to a function pointer. */
	*(void **)&info = dlsym(en->lib.handle, "nfacc_model_info");
	*(void **)&en->lib.make = dlsym(en->lib.handle, "nfacc_model_new");
	*(void **)&en->lib.end = dlsym(en->lib.handle, "nfacc_model_free");
	*(void **)&en->lib.clock = dlsym(en->lib.handle, "nfacc_model_clock");
	*(void **)&en->lib.states = dlsym(en->lib.handle, "nfacc_model_states");
	*(void **)&en->lib.memory = dlsym(en->lib.handle, "nfacc_model_memory");
	if (info == NULL || en->lib.make == NULL || en->lib.end == NULL || en->lib.clock == NULL ||
	    en->lib.states == NULL)
		return false;
	en->lib.info = info();
	return en->lib.info->version == NFACC_MODEL_VERSION &&
	       en->lib.info->slots <= NFACC_MODEL_SLOTS &&
	       en->lib.info->names <= RECORD_MOST_NAMES &&
	       en->lib.info->payload <= 64 * RECORD_MOST_PAYLOAD;
}

static void rtl_tick(struct rtl_engine *en);

static bool open_model(struct rtl_engine *en, uint64_t fingerprint, struct nfart_error *e)
{
	char dir[4000], path[4096];

	if (en->o.model != NULL)
		snprintf(dir, sizeof dir, "%s", en->o.model);
	else
		rtl_models(dir, sizeof dir);
	if (fingerprint == RTL_ANY || ends_with_so(dir)) {
		snprintf(path, sizeof path, "%s", dir);
	} else if (!find_model(dir, fingerprint, path, sizeof path)) {
		nfart_fail(e, NFART_SYSTEM,
			   "%s has no model of hardware %016" PRIx64 "; nfamodel builds one",
			   dir, fingerprint);
		return false;
	}
	en->lib.handle = open_file(path);
	if (en->lib.handle == NULL) {
		nfart_fail(e, NFART_SYSTEM, "%s", dlerror());
		return false;
	}
	if (!load_symbols(en)) {
		nfart_fail(e, NFART_SYSTEM, "%s is no model this program knows", path);
		return false;
	}
	if (fingerprint != RTL_ANY && en->lib.info->fingerprint != fingerprint) {
		nfart_fail(e, NFART_USAGE,
			   "the image is for hardware %016" PRIx64 ", %s is %016" PRIx64,
			   fingerprint, path, en->lib.info->fingerprint);
		return false;
	}
	en->model = en->lib.make(en->o.vcd);
	if (en->model == NULL)
		nfart_fail(e, NFART_SYSTEM,
			   en->o.vcd != NULL && !en->lib.info->traced
				   ? "%s writes no waveforms; nfamodel --trace builds one that does"
				   : "can't start %s: out of memory, or the waveforms can't be "
				     "written",
			   path);
	return en->model != NULL;
}

struct rtl_engine *rtl_engine_open(uint64_t fingerprint, const struct rtl_options *o,
				   struct nfart_error *e)
{
	struct rtl_engine *en = calloc(1, sizeof *en);

	if (en == NULL) {
		nfart_fail(e, NFART_SYSTEM, "out of memory");
		return NULL;
	}
	en->o = *o;
	if (!open_model(en, fingerprint, e)) {
		rtl_engine_close(en);
		return NULL;
	}
	en->in.rst = true;
	for (int i = 0; i < RESET_CYCLES; i++)
		rtl_tick(en);
	en->in.rst = false;
	en->in.bready = en->in.rready = true;
	rtl_engine_idle(en, 1);
	return en;
}

void rtl_engine_close(struct rtl_engine *en)
{
	if (en == NULL)
		return;
	if (en->model != NULL)
		en->lib.end(en->model);
	if (en->lib.handle != NULL)
		dlclose(en->lib.handle);
	vec_free(&en->writes.queue);
	free(en);
}

const struct nfacc_model_info *rtl_engine_info(const struct rtl_engine *en)
{
	return en->lib.info;
}

const char *rtl_engine_why(const struct rtl_engine *en)
{
	return en->why[0] != 0 ? en->why : NULL;
}

void rtl_engine_forget(struct rtl_engine *en)
{
	en->why[0] = 0;
}

uint64_t rtl_engine_cycles(const struct rtl_engine *en)
{
	return en->cycles;
}

void rtl_engine_states(const struct rtl_engine *en, uint32_t *words)
{
	en->lib.states(en->model, words);
}

const unsigned char *rtl_engine_memory(const struct rtl_engine *en, uint64_t *size)
{
	*size = 0;
	return en->lib.memory != NULL ? en->lib.memory(en->model, size) : NULL;
}

/* ---- the output ---- */

const struct record_names *rtl_engine_names(const struct rtl_engine *en)
{
	return &en->names;
}

/* Checks the record in en->record, which is complete now, and gives it to the sink. */
static void rtl_record(struct rtl_engine *en)
{
	struct nfart_batch b = { .time = en->record[0], .mask = en->record[1] };
	size_t head = en->words <= RECORD_HEAD ? RECORD_HEAD :
		      record_head_words(en->record, en->lib.info->names), n = head;

	if (en->words <= head ||
	    !record_read_names(en->record, en->lib.info->names, &en->names)) {
		fault(en, "a record has the wrong length, or wrong names");
		return;
	}
	if (en->lib.info->slots < 64 && b.mask >> en->lib.info->slots != 0)
		fault(en, "a record has a slot that does not exist");
	for (uint64_t m = b.mask; m != 0 && n < en->words; m &= m - 1)
		b.header[__builtin_ctzll(m)] = en->record[n++];
	if (b.mask == 0) {
		b.when = (uint8_t)trace_mark(en->record[n]);
		b.lost = b.when != 0 ? 0 : en->record[n];
		n++;
	}
	if (b.mask != 0 && en->lib.info->payload != 0) {
		b.payload_words = (uint8_t)(en->lib.info->payload / 64);
		b.payload = en->record + n;
		n += bits_count(b.mask) * (size_t)b.payload_words;
	}
	if (n != en->words) {
		fault(en, "a record has the wrong length");
		return;
	}
	en->o.sink(en->o.ctx, &b, en->record[2]);
}

/* Checks the output stream of the last cycle, and takes its word if one was handed over. */
static void watch_output(struct rtl_engine *en)
{
	const struct nfacc_model_out *out = &en->out;

	if (en->held.any && (!out->tvalid || out->tdata != en->held.data ||
			     out->tlast != en->held.last))
		fault(en, "the output changed before it was taken");
	en->held.any = out->tvalid && !en->in.tready;
	en->held.data = out->tdata;
	en->held.last = out->tlast;
	if (!out->tvalid || !en->in.tready)
		return;
	if (en->words == sizeof en->record / sizeof en->record[0]) {
		fault(en, "a record does not end");
		return;
	}
	en->record[en->words++] = out->tdata;
	if (out->tlast) {
		rtl_record(en);
		en->words = 0;
	}
}

/* ---- the clock ---- */

static void offer_write(struct rtl_engine *en)
{
	bool any = en->writes.next < en->writes.queue.n;
	const struct write *w = any ? &en->writes.queue.at[en->writes.next] : NULL;

	en->in.awvalid = any && !en->writes.aw_done;
	en->in.wvalid = any && !en->writes.w_done;
	if (any) {
		en->in.awaddr = w->address;
		en->in.wdata = w->data;
		en->in.wstrb = w->strobe;
	}
}

static void watch_write(struct rtl_engine *en)
{
	en->writes.aw_done |= en->in.awvalid && en->out.awready;
	en->writes.w_done |= en->in.wvalid && en->out.wready;
	if (en->writes.aw_done && en->writes.w_done) {
		en->writes.unanswered++;
		en->writes.aw_done = en->writes.w_done = false;
		if (++en->writes.next == en->writes.queue.n)
			en->writes.next = en->writes.queue.n = 0;
	}
	if (!en->out.bvalid || !en->in.bready)
		return;
	if (en->out.bresp != 0)
		fault(en, "a write to a register was answered by an error");
	if (en->writes.unanswered == 0)
		fault(en, "an answer to no write");
	else
		en->writes.unanswered--;
}

static void rtl_tick(struct rtl_engine *en)
{
	if (en->in.rst) {
		en->lib.clock(en->model, &en->in, &en->out);
		return;
	}
	en->in.tready = en->o.ready == NULL || en->o.ready(en->o.ctx);
	offer_write(en);
	en->lib.clock(en->model, &en->in, &en->out);
	en->cycles++;
	watch_output(en);
	watch_write(en);
}

/* Puts the payload of b where it is at the tap: by slots. It is cut off, or zeros fill it up. */
static const uint64_t *tap_payload(struct rtl_engine *en, const struct nfart_batch *b)
{
	uint32_t words = en->lib.info->payload / 64;
	uint32_t n = words < b->payload_words ? words : b->payload_words;
	const uint64_t *from = b->payload;

	if (n == 0)
		return NULL;
	memset(en->payload, 0, sizeof en->payload);
	for (uint64_t m = b->mask; m != 0; m &= m - 1, from += b->payload_words)
		memcpy(en->payload + (size_t)__builtin_ctzll(m) * words, from, n * sizeof *from);
	return en->payload;
}

void rtl_engine_batch(struct rtl_engine *en, const struct nfart_batch *b)
{
	en->in.s_valid = true;
	en->in.s_present = b->mask;
	en->in.s_time = b->time;
	en->in.s_header = b->header;
	en->in.s_payload = tap_payload(en, b);
	rtl_tick(en);
	en->in.s_valid = false;
	en->in.s_present = 0;
	en->in.s_header = NULL;
	en->in.s_payload = NULL;
}

void rtl_engine_set_time(struct rtl_engine *en, uint64_t time)
{
	en->in.s_time = time;
}

void rtl_engine_idle(struct rtl_engine *en, uint64_t cycles)
{
	for (uint64_t i = 0; i < cycles; i++)
		rtl_tick(en);
}

/* ---- registers ---- */

static void post(struct rtl_engine *en, struct write w)
{
	if (!vec_push(&en->writes.queue, w))
		fault(en, "out of memory");
}

void rtl_engine_post(struct rtl_engine *en, uint32_t offset, uint32_t value)
{
	bool high = en->lib.info->data == 64 && (offset & 4) != 0;

	post(en, (struct write){ offset, high ? 0xf0 : 0xf, (uint64_t)value << (high ? 32 : 0) });
}

void rtl_engine_post_words(struct rtl_engine *en, const uint32_t *halves, size_t n)
{
	rtl_engine_post(en, NFACC_REG_CONTROL, NFACC_CONTROL_BEGIN);
	if (en->lib.info->data == 32)
		for (size_t i = 0; i < n; i++)
			rtl_engine_post(en, NFACC_REG_CONFIG, halves[i]);
	else
		for (size_t i = 0; i + 1 < n; i += 2)
			post(en, (struct write){ NFACC_REG_CONFIG, 0xff,
						 halves[i] | (uint64_t)halves[i + 1] << 32 });
}

size_t rtl_engine_queued(const struct rtl_engine *en)
{
	return en->writes.queue.n - en->writes.next;
}

bool rtl_engine_writing(const struct rtl_engine *en)
{
	return rtl_engine_queued(en) != 0 || en->writes.unanswered != 0;
}

static bool rtl_flush(struct rtl_engine *en)
{
	uint64_t last = en->cycles;
	size_t at = en->writes.next;

	while (rtl_engine_writing(en) && en->why[0] == 0) {
		rtl_tick(en);
		if (en->writes.next != at) {
			at = en->writes.next;
			last = en->cycles;
		}
		if (en->cycles - last > MOST_ANSWER)
			fault(en, "a write to a register is not answered");
	}
	return en->why[0] == 0;
}

bool rtl_engine_write(struct rtl_engine *en, uint32_t offset, uint32_t value)
{
	rtl_engine_post(en, offset, value);
	return rtl_flush(en);
}

bool rtl_engine_read(struct rtl_engine *en, uint32_t offset, uint32_t *value)
{
	bool high = en->lib.info->data == 64 && (offset & 4) != 0, done = false;

	if (!rtl_flush(en))
		return false;
	en->in.arvalid = true;
	en->in.araddr = offset;
	for (uint64_t i = 0; i < MOST_ANSWER && !done; i++) {
		rtl_tick(en);
		if (en->in.arvalid && en->out.arready)
			en->in.arvalid = false;
		done = en->out.rvalid;
	}
	en->in.arvalid = false;
	if (!done)
		fault(en, "a read of a register is not answered");
	else if (en->out.rresp != 0)
		fault(en, "a read of a register was answered by an error");
	*value = (uint32_t)(en->out.rdata >> (high ? 32 : 0));
	return en->why[0] == 0;
}

bool rtl_engine_wait(struct rtl_engine *en, uint32_t mask, uint32_t value, uint64_t cycles)
{
	uint64_t begin = en->cycles;
	uint32_t status;

	do {
		if (!rtl_engine_read(en, NFACC_REG_STATUS, &status))
			return false;
		if ((status & mask) == value)
			return true;
	} while (en->cycles - begin < cycles);
	fault(en, "the engine does not come to the state waited for");
	return false;
}

bool rtl_engine_command(struct rtl_engine *en, uint32_t bit)
{
	uint32_t status;

	return rtl_engine_write(en, NFACC_REG_CONTROL, bit) &&
	       rtl_engine_read(en, NFACC_REG_STATUS, &status) &&
	       (status & NFACC_STATUS_REFUSED) == 0;
}

int rtl_engine_load(struct rtl_engine *en, const uint32_t *halves, size_t n)
{
	uint32_t status = 0;

	rtl_engine_post_words(en, halves, n);
	if (!rtl_flush(en))
		return -1;
	/* The last words may not yet have reached the loader. */
	for (int i = 0; i < LOAD_POLLS; i++) {
		if (!rtl_engine_read(en, NFACC_REG_STATUS, &status))
			return -1;
		if ((status & NFACC_STATUS_LOADING) == 0)
			break;
	}
	return (int)((status & NFACC_STATUS_LOAD) >> NFACC_STATUS_LOAD_LSB);
}
