/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The software engine inside a running simulation: what nfacc_monitor.sv calls through DPI-C, over
 * libnfart. It compiles as C and as C++, as simulators want it.
 *
 * A monitor is made, gets its settings, and begins. From then on each of its batches is a row of
 * nfacc_monitor_message() and then nfacc_monitor_batch(). Nothing here prints or ends the
 * simulation: texts are fetched by nfacc_monitor_next(), and an error by nfacc_monitor_error().
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <errno.h>
#include <nfart.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is done with a report; nfacc_monitor.sv has the same numbers. */
static const char *const actions[] = { "print", "error", "fatal", "stop", "finish" };
enum { NACTIONS = sizeof actions / sizeof *actions, MOST_ERROR = 1024 };

/* What the settings say. */
struct settings {
	char *image;              /* path; NULL: nothing is monitored */
	unsigned action;          /* index in `actions` */
	unsigned long long limit; /* of reports; 0: none */
	unsigned explain;         /* 1: reports say why */
};

/* What was reported, and what not yet. */
struct reports {
	unsigned long long n;     /* how many so far */
	unsigned long long *of;   /* [labels]: how many batches each label accepts */
	bool full;                /* the limit is reached: no more come */
	char *text;               /* what nfacc_monitor_next() gives next */
	size_t size;
	FILE *to;                 /* writes it */
};

struct monitor {
	char *name;
	int slots, header_bits, payload; /* bits of a header, and of the payload beside it */
	unsigned long long fingerprint;
	struct settings set;
	struct nfart_image *image;
	/* Either the explainer takes the batches; or the filter, which costs less, and gives those
	 * that are accepted to the writer. The filter takes ticks only when a batch comes. So an
	 * image with ticks has an explainer, too. */
	struct nfart_explainer *explainer;
	struct nfart_filter *filter;
	struct nfart_writer *writer;
	struct reports said;
	struct nfart_batch batch; /* the messages since the last batch */
	struct {
		uint64_t at[NFART_SLOTS * NFART_PAYLOAD_WORDS]; /* that of these messages */
		size_t n;
	} payload_words;
	unsigned long long batches, messages;
	char error[MOST_ERROR];   /* empty: there was none */
};

static int monitor_fail(struct monitor *m, const char *format, ...)
{
	va_list list;

	if (m->error[0] != 0)
		return 0;
	va_start(list, format);
	vsnprintf(m->error, sizeof m->error, format, list);
	va_end(list);
	return 0;
}

/* Fails with an error of the library, which may name a place in a file. */
static int monitor_fail_as(struct monitor *m, const struct nfart_error *e)
{
	return monitor_fail(m, "%s%s%s", e->file, e->file[0] != 0 ? ": " : "", e->what);
}

/* ---- settings ---- */

static char *text_copy(const char *s)
{
	char *copy = (char *)malloc(strlen(s) + 1);

	return copy != NULL ? strcpy(copy, s) : NULL;
}

/* Parses a decimal number. False: it is none. */
static bool number_parse(const char *s, unsigned long long *n)
{
	char *end;

	errno = 0;
	*n = strtoull(s, &end, 10);
	return s[0] >= '0' && s[0] <= '9' && *end == 0 && errno == 0;
}

static int action_set(struct monitor *m, const char *value)
{
	for (unsigned i = 0; i < NACTIONS; i++)
		if (strcmp(value, actions[i]) == 0) {
			m->set.action = i;
			return 1;
		}
	return monitor_fail(m, "action '%s': it is print, error, fatal, stop or finish", value);
}

#ifdef __cplusplus
extern "C" {
#endif

void *nfacc_monitor_new(const char *name, int slots, int header_bits, int payload,
			unsigned long long fingerprint);
void nfacc_monitor_set(void *monitor, const char *what, const char *value);
int nfacc_monitor_begin(void *monitor);
int nfacc_monitor_action(void *monitor);
void nfacc_monitor_message(void *monitor, int slot, unsigned long long header);
void nfacc_monitor_payload(void *monitor, unsigned long long word);
int nfacc_monitor_batch(void *monitor, unsigned long long time);
int nfacc_monitor_idle(void *monitor, unsigned long long time);
int nfacc_monitor_end(void *monitor, unsigned long long time);
const char *nfacc_monitor_next(void *monitor);
const char *nfacc_monitor_error(void *monitor);
const char *nfacc_monitor_summary(void *monitor);
void nfacc_monitor_free(void *monitor);

/* Makes a monitor for the outputs of a tap: so many slots, with headers and payload of so many
 * bits. The fingerprint is that of the tap's protocol; 0: it is not checked. NULL: out of memory. */
void *nfacc_monitor_new(const char *name, int slots, int header_bits, int payload,
			unsigned long long fingerprint)
{
	struct monitor *m = (struct monitor *)calloc(1, sizeof *m);

	if (m == NULL)
		return NULL;
	m->name = text_copy(name);
	m->slots = slots;
	m->header_bits = header_bits;
	m->payload = payload;
	m->fingerprint = fingerprint;
	m->said.to = open_memstream(&m->said.text, &m->said.size);
	if (m->name != NULL && m->said.to != NULL)
		return m;
	nfacc_monitor_free(m);
	return NULL;
}

void nfacc_monitor_free(void *monitor)
{
	struct monitor *m = (struct monitor *)monitor;
	struct nfart_error e;

	if (m == NULL)
		return;
	nfart_explainer_free(m->explainer);
	nfart_filter_free(m->filter);
	if (m->writer != NULL)
		nfart_writer_close(m->writer, &e);
	nfart_image_free(m->image);
	if (m->said.to != NULL)
		fclose(m->said.to);
	free(m->said.text);
	free(m->said.of);
	free(m->set.image);
	free(m->name);
	free(m);
}

/* Sets `image`, `action`, `limit` or `explain`. A value that is wrong is an error. */
void nfacc_monitor_set(void *monitor, const char *what, const char *value)
{
	struct monitor *m = (struct monitor *)monitor;
	unsigned long long n;

	if (strcmp(what, "image") == 0) {
		free(m->set.image);
		m->set.image = value[0] != 0 ? text_copy(value) : NULL;
		if (value[0] != 0 && m->set.image == NULL)
			monitor_fail(m, "out of memory");
	} else if (strcmp(what, "action") == 0) {
		action_set(m, value);
	} else if (!number_parse(value, &n)) {
		monitor_fail(m, "%s '%s': it is a number", what, value);
	} else if (strcmp(what, "limit") == 0) {
		m->set.limit = n;
	} else if (strcmp(what, "explain") == 0 && n <= 1) {
		m->set.explain = n == 1;
	} else {
		monitor_fail(m, "%s '%s': it is 0 or 1", what, value);
	}
}

int nfacc_monitor_action(void *monitor)
{
	return (int)((struct monitor *)monitor)->set.action;
}

#ifdef __cplusplus
}
#endif

/* ---- beginning ---- */

/* Does the image take the messages of the tap? */
static bool image_fits(struct monitor *m)
{
	const struct nfart_proto *p = nfart_image_proto(m->image);

	if (m->fingerprint != 0 && nfart_proto_fingerprint(p) != m->fingerprint)
		monitor_fail(m, "%s: the image is for protocol %s (%016llx), whose messages are not "
				"those of the tap (%016llx); make both from one description",
			     m->set.image, nfart_proto_name(p),
			     (unsigned long long)nfart_proto_fingerprint(p), m->fingerprint);
	else if ((int)nfart_proto_nslots(p) != m->slots)
		monitor_fail(m, "%s: the image is for protocol %s, which has %u slots; the tap has %d",
			     m->set.image, nfart_proto_name(p), nfart_proto_nslots(p), m->slots);
	else if (m->header_bits < 1 || m->header_bits > 64)
		monitor_fail(m, "HEADER_BITS is %d; it is 1 to 64", m->header_bits);
	else if (m->payload < 0 || m->payload > 64 * NFART_PAYLOAD_WORDS || m->payload % 64 != 0)
		monitor_fail(m, "PAYLOAD is %d; it is 0 to %d in steps of 64", m->payload,
			     64 * NFART_PAYLOAD_WORDS);
	return m->error[0] == 0;
}

/* Counts a batch that was accepted. */
static void report_count(struct monitor *m, const struct nfart_result *r)
{
	for (uint32_t l = 0; l < r->nlabels; l++)
		m->said.of[l] += r->labels[l / 64] >> l % 64 & 1;
	m->said.n++;
	m->said.full = m->said.n == m->set.limit;
}

/* Says after the last report that no more come. */
static void report_end(struct monitor *m)
{
	if (m->said.full)
		fprintf(m->said.to, "%s: the limit of %llu report%s is reached, no more come\n",
			m->name, m->set.limit, m->set.limit == 1 ? "" : "s");
}

/* The sink of the filter. Reports a batch that is accepted, and leaves out those that the window
 * adds. */
static bool filter_said(void *ctx, const struct nfart_batch *b, const struct nfart_result *r)
{
	struct monitor *m = (struct monitor *)ctx;

	if (!r->accepted || m->said.full)
		return true;
	fprintf(m->said.to, "%s: ", m->name);
	report_count(m, r);
	if (!nfart_writer_put(m->writer, b, r))
		return false;
	report_end(m);
	return true;
}

static bool begin_filter(struct monitor *m, struct nfart_error *e)
{
	struct nfart_filter_options o;
	struct nfart_writer_options w;

	memset(&o, 0, sizeof o);
	memset(&w, 0, sizeof w);
	w.format = NFART_FORMAT_TEXT;
	w.labels = nfart_image_labels(m->image);
	w.nlabels = nfart_image_nlabels(m->image);
	w.with_labels = true;
	w.payload_words = (uint32_t)m->payload / 64;
	m->writer = nfart_writer_new(m->said.to, nfart_image_proto(m->image), &w, e);
	rewind(m->said.to); /* a heading of the text is no report */
	o.sink = filter_said;
	o.ctx = m;
	m->filter = m->writer != NULL ? nfart_filter_new(m->image, &o, e) : NULL;
	return m->filter != NULL;
}

/* Loads the image. Returns 1 if there is something to monitor; 0: there is no image, or
 * nfacc_monitor_error() says why not. */
int nfacc_monitor_begin(void *monitor)
{
	struct monitor *m = (struct monitor *)monitor;
	struct nfart_error e;
	bool explains, ok;

	if (m->error[0] != 0 || m->set.image == NULL)
		return 0;
	m->image = nfart_image_open(m->set.image, &e);
	if (m->image == NULL)
		return monitor_fail_as(m, &e);
	if (!image_fits(m))
		return 0;
	m->said.of = (unsigned long long *)calloc(nfart_image_nlabels(m->image) + 1u,
						  sizeof *m->said.of);
	if (m->said.of == NULL)
		return monitor_fail(m, "out of memory");
	explains = m->set.explain || nfart_image_tick(m->image) != 0;
	if (explains)
		m->explainer = nfart_explainer_new(m->image, NULL, &e);
	ok = explains ? m->explainer != NULL : begin_filter(m, &e);
	return ok ? 1 : monitor_fail_as(m, &e);
}

/* ---- running ---- */

/* Adds a message to the batch that comes. */
void nfacc_monitor_message(void *monitor, int slot, unsigned long long header)
{
	struct monitor *m = (struct monitor *)monitor;
	const struct nfart_proto *p = nfart_image_proto(m->image);
	char name[80];

	if (nfart_proto_type(p, (uint32_t)slot, header) == NULL) {
		if (!nfart_proto_slot_name(p, (uint32_t)slot, name, sizeof name))
			snprintf(name, sizeof name, "%d", slot);
		monitor_fail(m, "slot %s has header 0x%llx, which is no message of protocol %s; make "
				"tap and image from one description",
			     name, header, nfart_proto_name(p));
		return;
	}
	m->batch.mask |= 1ull << slot;
	m->batch.header[slot] = header;
	m->messages++;
}

/* Adds a word to the payload of the last message; word 0 comes first, and messages come in the order
 * of their slots. */
void nfacc_monitor_payload(void *monitor, unsigned long long word)
{
	struct monitor *m = (struct monitor *)monitor;

	if (m->error[0] == 0 && m->payload_words.n < NFART_SLOTS * NFART_PAYLOAD_WORDS)
		m->payload_words.at[m->payload_words.n++] = word;
}

/* Reports what the explainer has accepted. */
static int take_explained(struct monitor *m)
{
	struct nfart_explained x;
	struct nfart_error e;
	int got;

	while ((got = nfart_explainer_next(m->explainer, &x, &e)) > 0) {
		if (m->said.full)
			continue;
		report_count(m, &x.result);
		fprintf(m->said.to, "%s: %.*s\n", m->name,
			(int)(m->set.explain ? strlen(x.text) - 1 : strcspn(x.text, "\n")), x.text);
		report_end(m);
	}
	return got < 0 ? monitor_fail_as(m, &e) : 1;
}

/* Is there a text, or an error, to fetch? */
static int has_said(struct monitor *m, bool ok)
{
	if (!ok)
		monitor_fail(m, "out of memory");
	return m->error[0] != 0 || ftell(m->said.to) > 0;
}

/* Ends the batch of cycle `time`. Returns 1 if nfacc_monitor_next() has a text, or
 * nfacc_monitor_error(). */
int nfacc_monitor_batch(void *monitor, unsigned long long time)
{
	struct monitor *m = (struct monitor *)monitor;
	struct nfart_error e;
	unsigned long long before = m->said.n;
	bool ok = true;

	if (m->error[0] == 0 && !m->said.full && m->batch.mask != 0) {
		m->batch.time = time;
		m->batch.payload_words = (uint8_t)(m->payload / 64);
		m->batch.payload = m->payload_words.at;
		m->batches++;
		if (m->explainer == NULL)
			ok = nfart_filter_put(m->filter, &m->batch);
		else if (!nfart_explainer_put(m->explainer, &m->batch, &e))
			monitor_fail_as(m, &e);
		else
			take_explained(m);
	}
	m->batch.mask = 0;
	m->payload_words.n = 0;
	return ok && m->said.n == before && m->error[0] == 0 ? 0 : has_said(m, ok);
}

/* States that no message comes any more for cycle `time` or one before, and reports the ticks that
 * are due. */
static void take_ticks(struct monitor *m, unsigned long long time)
{
	struct nfart_error e;

	if (!nfart_explainer_until(m->explainer, time, &e))
		monitor_fail_as(m, &e);
	else
		take_explained(m);
}

/* In cycle `time` there was no message. Returns what nfacc_monitor_batch() does. */
int nfacc_monitor_idle(void *monitor, unsigned long long time)
{
	struct monitor *m = (struct monitor *)monitor;
	unsigned long long tick = nfart_image_tick(m->image);

	if (m->error[0] != 0 || m->said.full || tick == 0 || time % tick != 0)
		return 0;
	take_ticks(m, time);
	return has_said(m, true);
}

/* Ends the stream, whose last cycle was `time`. Returns what nfacc_monitor_batch() does. */
int nfacc_monitor_end(void *monitor, unsigned long long time)
{
	struct monitor *m = (struct monitor *)monitor;
	struct nfart_error e;
	bool ok = true;

	if (m->error[0] != 0 || m->said.full)
		return 0;
	/* Without ticks the end comes after the last batch, as nfarun has it. */
	if (nfart_image_tick(m->image) != 0)
		take_ticks(m, time);
	if (m->explainer == NULL)
		ok = nfart_filter_end(m->filter);
	else if (m->error[0] == 0 && !nfart_explainer_end(m->explainer, &e))
		monitor_fail_as(m, &e);
	else if (m->error[0] == 0)
		take_explained(m);
	return has_said(m, ok);
}

/* ---- what was said ---- */

/* Takes out all reports since the last call, without the newline of the last one. The text is valid
 * until the next call for the same monitor; "": there is none. */
const char *nfacc_monitor_next(void *monitor)
{
	struct monitor *m = (struct monitor *)monitor;

	if (fflush(m->said.to) != 0 || ftell(m->said.to) <= 0)
		return "";
	m->said.text[ftell(m->said.to) - 1] = 0;
	rewind(m->said.to);
	return m->said.text;
}

/* Returns what is wrong; "": nothing. */
const char *nfacc_monitor_error(void *monitor)
{
	return ((struct monitor *)monitor)->error;
}

/* Returns how much was seen, and how many batches each label accepts. The text is valid until the
 * next call for the same monitor. */
const char *nfacc_monitor_summary(void *monitor)
{
	struct monitor *m = (struct monitor *)monitor;
	const char *const *labels = nfart_image_labels(m->image);

	fprintf(m->said.to, "%s: batches: %llu, messages: %llu, accepted: %llu", m->name,
		m->batches, m->messages, m->said.n);
	for (uint32_t l = 0; l < nfart_image_nlabels(m->image); l++)
		if (labels[l][0] != '|' && m->said.of[l] != 0) /* no output of a machine */
			fprintf(m->said.to, ", %s: %llu", labels[l], m->said.of[l]);
	fprintf(m->said.to, "%s\n", m->said.full ? "; up to the limit of reports" : "");
	return nfacc_monitor_next(m);
}
