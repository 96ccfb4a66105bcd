/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "backends/image/read_back.h"

#include <inttypes.h>
#include <string.h>

#include "backends/image/inspect.h"
#include "ir/decide/decide.h"

static const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

enum nfart_status read_back_load(struct target_job *job)
{
	struct nfart_error e;

	job->made.loaded = image_load(job->made.image.at, job->made.image.n, "image", &e);
	if (job->made.loaded != NULL)
		return NFART_OK;
	if (e.status == NFART_SYSTEM)
		return NFART_SYSTEM;
	diag_report(job->diags, DIAG_ERROR, "internal", nowhere, "internal error: %s", e.what);
	return NFART_INTERNAL;
}

/* ---- what is compared directly ---- */

/* Each check_ function returns whether one part of the image is as the filters want it. If not, the
 * function appends a line to `wrong`. */
static bool check_register(const char *name, uint64_t has, uint64_t wanted, struct buf *wrong)
{
	if (has != wanted)
		buf_addf(wrong, "the image's %s is %" PRIu64 ", not %" PRIu64 "\n", name, has,
			 wanted);
	return has == wanted;
}

static bool check_ranges(const struct nfart_image *im, const struct spec *s, struct buf *wrong)
{
	if (!check_register("number of ranges", im->substreams.nranges, s->substreams.ranges.n,
			    wrong))
		return false;
	for (uint32_t i = 0; i < im->substreams.nranges; i++)
		if (!check_register("first line", im->substreams.ranges[i].first,
				    s->substreams.ranges.at[i].first, wrong) ||
		    !check_register("number of lines", im->substreams.ranges[i].count,
				    s->substreams.ranges.at[i].count, wrong))
			return false;
	return true;
}

/* Do messages of every code go to the copies that the source says? */
static bool check_key(const struct nfart_image *im, const struct spec *s, struct buf *wrong)
{
	const struct nfart_proto *p = s->proto;
	int field = s->substreams.field == NULL
			    ? -1
			    : proto_find_field(p, s->substreams.field, strlen(s->substreams.field));

	for (uint32_t c = 0; s->substreams.field != NULL && c < p->codes.n; c++) {
		const struct proto_place *at = NULL;
		const struct image_key *key = &im->substreams.key[c];
		if (field >= 0 && bits_get(p->codes.valid, c))
			at = proto_field_place(p, (uint32_t)field, c);
		if (key->has == (at != NULL) &&
		    (at == NULL || (key->lsb == at->lsb && key->bits == at->bits)))
			continue;
		buf_addf(wrong, "the image's key of code %" PRIu32 " is not field '%s'\n", c,
			 s->substreams.field);
		return false;
	}
	if (s->substreams.field != NULL &&
	    (im->substreams.field == NULL ||
	     strcmp(im->substreams.field, s->substreams.field) != 0)) {
		buf_addf(wrong, "the image's key is not called '%s'\n", s->substreams.field);
		return false;
	}
	return true;
}

static bool check_registers(const struct nfart_image *im, const struct spec *s, struct buf *wrong)
{
	return check_register("window", im->window.before, s->window.before, wrong) &&
	       check_register("window after", im->window.after, s->window.after, wrong) &&
	       check_register("period of ticks", im->stream.tick, s->stream.tick, wrong) &&
	       check_register("flag for the end", im->stream.end, s->stream.end, wrong) &&
	       check_register("flag for losses", im->stream.reset_on_loss, s->stream.reset_on_loss,
			      wrong) &&
	       check_register("limit", im->stream.limit, s->stream.limit, wrong) &&
	       check_register("flag for substreams", im->substreams.by_line, s->substreams.by_line,
			      wrong) &&
	       check_register("flag for a field", im->substreams.by_field,
			      s->substreams.field != NULL, wrong) &&
	       check_key(im, s, wrong) && check_ranges(im, s, wrong) &&
	       check_register("number of labels", im->labels.n - im->labels.noutputs, s->labels.n,
			      wrong) &&
	       check_register("number of outputs", im->labels.noutputs, s->outputs.n, wrong);
}

static bool check_names(const struct nfart_image *im, const struct spec *s, struct buf *wrong)
{
	for (uint32_t i = 0; i < im->labels.n; i++) {
		bool output = i >= s->labels.n;
		const char *has = im->labels.names[i] + output,
			   *wanted = output ? s->outputs.at[i - s->labels.n] : s->labels.at[i];

		if (strcmp(has, wanted) != 0) {
			buf_addf(wrong, "%s %" PRIu32 " of the image is '%s', not '%s'\n",
				 output ? "output" : "label", i, has, wanted);
			return false;
		}
	}
	return true;
}

/* Is the image's protocol section, byte for byte, what proto_write() makes of the protocol? */
static bool check_protocol(const struct nfart_image *im, const struct nfart_proto *p,
			   struct buf *wrong)
{
	const struct image_section *s = image_find_section(im, SEC_protocol);
	struct buf b = { 0 };
	bool same;

	proto_write(p, &b);
	same = !b.failed && s != NULL && s->n == b.n && memcmp(s->at, b.at, b.n) == 0;
	wrong->failed |= b.failed;
	if (!same)
		buf_addf(wrong, "the image's protocol is not that of the filters\n");
	buf_free(&b);
	return same;
}

static bool check_overlay(const struct target_job *job, struct buf *wrong)
{
	bool same = overlay_same(&job->made.loaded->overlay, &job->made.overlay);

	if (!same)
		buf_addf(wrong, "the image is for another overlay\n");
	return same;
}

/* ---- the automaton ---- */

/* Guesses which counter of job->nfa became counter i of the image, and stores it in r->counter[i].
 * The guess is the counter whose state was placed on the node of counter i. False: out of
 * memory. */
static bool guess_counters(const struct target_job *job, struct target_reading *r)
{
	const struct nfart_image *im = job->made.loaded;
	const struct nfa *a = job->nfa;
	nfa_state_t *state;
	bool ok = nfa_counter_states(a, &state);

	r->counter = malloc((im->nfa.ncounters + 1) * sizeof *r->counter);
	ok = ok && r->counter != NULL;
	for (uint32_t i = 0; ok && i < im->nfa.ncounters; i++) {
		uint32_t node = im->nfa.states[im->nfa.counters[i].state].node;
		r->counter[i] = DECIDE_NO_COUNTER;
		for (uint32_t c = 0; c < a->counters.n; c++)
			if (state[c] != UINT32_MAX &&
			    (job->made.ste != NULL ? job->made.ste[state[c]] : state[c]) == node)
				r->counter[i] = c;
	}
	free(state);
	return ok;
}

bool read_back_verify(const struct target_job *job, const struct spec *source,
		      struct target_reading *r, struct buf *wrong)
{
	const struct nfart_image *im = job->made.loaded;

	memset(r, 0, sizeof *r);
	if (!check_overlay(job, wrong) || !check_protocol(im, source->proto, wrong) ||
	    !check_registers(im, source, wrong) || !check_names(im, source, wrong))
		return !wrong->failed;
	return guess_counters(job, r) &&
	       inspect_nfa(job->made.loaded, &source->preds, &r->spec, &r->nfa);
}
