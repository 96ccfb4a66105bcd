/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The stages of the compiler, one function for each. pipeline_run() at the end calls them in order:
 *
 *   filter text -> AST -> spec -> NFA -> homogeneous NFA -> placement -> image
 *
 * In the end the image is loaded as an engine loads it, and is proved to mean what the filter text
 * says.
 */
#include "compiler/pipeline.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "compiler/lower.h"
#include "compiler/proof/registers.h"
#include "compiler/targets.h"
#include "compiler/warn.h"
#include "grammar/describe/builtin.h"
#include "grammar/describe/etm_text.h"
#include "grammar/describe/proto_text.h"
#include "ir/build.h"
#include "ir/retap.h"

static const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

void pipeline_options_init(struct pipeline_options *o)
{
	memset(o, 0, sizeof *o);
	o->last = STAGE_IMAGE;
	o->passes.level = 1;
	o->count = COUNT_THRESHOLD;
	o->names = true;
	o->verify = VERIFY_BOUNDED;
	overlay_desc_default(&o->overlay);
	map_options_init(&o->map);
}

/* ---- protocols, for the front end ---- */

/* Finds a protocol, which may be that of the core. Returns what proto_find() does. */
static enum nfart_status make_protocol(struct pipeline *p, const char *name, size_t n,
				       struct nfart_proto **made)
{
	const struct pipeline_options *o = &p->options;
	const size_t prefix = strlen(ETM_PROTO_PREFIX);
	enum nfart_status status = NFART_SYSTEM;
	struct buf text = { 0 };

	if (o->core == NULL || n != prefix + strlen(o->core->name) ||
	    memcmp(name, ETM_PROTO_PREFIX, prefix) != 0 ||
	    memcmp(name + prefix, o->core->name, n - prefix) != 0)
		return proto_find(&p->diags, o->dirs, o->ndirs, name, n, made);
	*made = NULL;
	etm_core_protocol(o->core, &text);
	if (!text.failed)
		status = proto_parse(&p->diags, o->dirs, o->ndirs, "<the protocol of the core>",
				     text.at, text.n, made);
	buf_free(&text);
	return status;
}

static const struct nfart_proto *find_protocol(void *ctx, const char *name, size_t n)
{
	struct pipeline *p = ctx;
	struct nfart_proto *made;

	for (size_t i = 0; i < p->protos.n; i++)
		if (strncmp(p->protos.at[i]->name, name, n) == 0 && p->protos.at[i]->name[n] == 0)
			return p->protos.at[i];
	if (make_protocol(p, name, n, &made) == NFART_SYSTEM)
		p->failed = true;
	if (made != NULL && !vec_push(&p->protos, made)) {
		proto_free(made);
		p->failed = true;
		return NULL;
	}
	return made;
}

static const char *protocol_name(void *ctx, size_t i)
{
	(void)ctx;
	return builtin_protocols[i].name;
}

/* Chooses the protocol of filters that name none: that of the option, or of the core. */
static void choose_protocol(struct pipeline *p)
{
	const struct pipeline_options *o = &p->options;

	if (o->front.protocol != NULL)
		snprintf(p->usual, sizeof p->usual, "%s", o->front.protocol);
	else if (o->core != NULL)
		snprintf(p->usual, sizeof p->usual, ETM_PROTO_PREFIX "%s", o->core->name);
	else
		snprintf(p->usual, sizeof p->usual, "eci");
}

/* ---- stages ---- */

static void choose_target(struct pipeline *p)
{
	const struct pipeline_options *o = &p->options;

	p->setup = (struct target_setup){
		.name = o->overlay.name,
		.tap = o->overlay.protocol,
		.overlay = &o->overlay.o,
		.map = &o->map,
		.core = o->core,
		.etm = &o->etm,
		.names = o->names,
		.source = o->source,
		.progress = o->progress,
		.shipped = targets_shipped,
	};
	p->job = (struct target_job){
		.target = target_of(&o->overlay.o, o->core),
		.setup = &p->setup,
		.spec = &p->spec,
		.nfa = &p->nfa,
		.counts = &p->counts,
		.diags = &p->diags,
	};
	p->job.target->limits(&p->setup, &p->limits);
}

/* Derives a filter from rules of coherence, and parses it. Its source is the derived text, whose
 * name says that it is no file. *known says whether its stream begins when the system begins. */
static enum nfart_status parse_coherence(struct pipeline *p, const struct pipeline_file *file,
					 bool *known)
{
	struct coh_options find = { find_protocol, p };
	uint32_t source = diag_add_source(&p->diags, file->name, file->text, file->n);
	const char *slash = strrchr(file->name, '/');
	struct buf text = { 0 }, name = { 0 };
	enum nfart_status status = NFART_SYSTEM;

	p->front.last_source = DIAG_NO_SOURCE;
	buf_addf(&name, "<derived from %s>", slash != NULL ? slash + 1 : file->name);
	if (source != DIAG_NO_SOURCE && !name.failed)
		status = coherence_derive(&p->diags, source, &find, &p->options.coherence, &text,
					  known);
	if (status == NFART_OK)
		status = front_parse(&p->front, name.at, text.at, text.n, false);
	buf_free(&text);
	buf_free(&name);
	return status;
}

/* Warns of a checker that is not told which lines it is for. Messages of different lines would look
 * like errors of one. */
static void warn_lines(struct pipeline *p, const struct pipeline_file *files, size_t n)
{
	for (size_t i = 0; i < n && !p->spec.by_line && p->spec.proto->addr_bits != 0; i++)
		if (files[i].form == FORM_COHERENCE) {
			diag_report(&p->diags, DIAG_WARNING, "checker-lines", nowhere,
				    "%s: without substreams all lines are one to the checker; give "
				    "--substream here, or to nfarun", files[i].name);
			return;
		}
}

/* Does any statement from number `from` on keep a state from batch to batch? `log = all` has none
 * that a loss could change. */
static bool has_state(const struct ast *a, size_t from)
{
	for (size_t i = from; i < a->stmts.n; i++) {
		const struct ast_stmt *t = &a->stmts.at[i];

		if (t->kind == AST_FILTER || t->kind == AST_AUTOMATON || t->kind == AST_MACHINE ||
		    t->kind == AST_COUNTER || (t->kind == AST_LOG && !t->all))
			return true;
	}
	return false;
}

/* Says what a loss does. Derived checkers begin anew, knowing nothing; one that knows its start
 * can't. Other filters go on, and an image can only do one of the two, so a checker beside them
 * goes on, too. */
static void decide_loss(struct pipeline *p, bool checkers, bool others, bool known)
{
	p->front.ast.reset_on_loss = checkers && !others && !known;
	if (checkers && others)
		diag_report(&p->diags, DIAG_WARNING, "checker-loss", nowhere,
			    "after a loss the checker can have false alarms: it does not begin "
			    "anew, because the filters beside it go on; nfarun --on-loss reset "
			    "lets all of them begin anew");
}

static enum nfart_status parse(struct pipeline *p, const struct pipeline_file *files, size_t n)
{
	struct front_options o = p->options.front;
	bool checkers = false, others = false, any_known = false;
	enum nfart_status status, worst = NFART_OK;

	o.find_protocol = find_protocol;
	o.protocol_name = protocol_name;
	o.usual_protocol = p->usual;
	o.ctx = p;
	worst = front_init(&p->front, &p->diags, &o);
	if (worst == NFART_USAGE)
		return worst;
	for (size_t i = 0; i < n && worst != NFART_SYSTEM; i++) {
		size_t from = p->front.ast.stmts.n;
		bool derived = files[i].form == FORM_COHERENCE, known = false;

		status = derived ? parse_coherence(p, &files[i], &known)
				 : front_parse(&p->front, files[i].name, files[i].text, files[i].n,
					       files[i].form == FORM_YAML);
		checkers = checkers || derived;
		any_known = any_known || known;
		others = others || (!derived && has_state(&p->front.ast, from));
		if (status != NFART_OK)
			worst = status;
		if (p->front.last_source != DIAG_NO_SOURCE &&
		    !vec_push(&p->filters, p->front.last_source))
			worst = NFART_SYSTEM;
	}
	if (worst == NFART_SYSTEM || p->failed)
		return NFART_SYSTEM;
	if (worst == NFART_OK)
		decide_loss(p, checkers, others, any_known);
	status = front_finish(&p->front);
	if (p->failed)
		return NFART_SYSTEM;
	return status == NFART_OK || worst == NFART_GAVEUP ? worst : status;
}

/* Reports that the guards tell too many kinds of messages apart, at the first of them. */
static void report_guards(struct pipeline *p)
{
	const struct ast *a = &p->front.ast;
	size_t i = 0;

	while (i + 1 < a->basics.n && a->basics.at[i].ntests == 0)
		i++;
	diag_report(&p->diags, DIAG_ERROR, "gave-up", a->basics.at[i].guard_range,
		    "gave up: the guards tell more than %d kinds of messages of one slot apart, or "
		    "finding these kinds takes too much",
		    ALPHABET_MOST);
}

/* Reports the machines of the spec, which the target can't execute. */
static enum nfart_status refuse_machines(struct pipeline *p)
{
	for (size_t i = 0; i < p->spec.machines.n; i++)
		diag_report(&p->diags, DIAG_ERROR, "no-fit", p->spec.machines.at[i].range,
			    "'%s' executes no machines", p->setup.name);
	return p->spec.machines.n != 0 ? NFART_NOFIT : NFART_OK;
}

/* Makes the spec from the tree. If the target taps another protocol than the filter's, the spec is
 * converted to that protocol. */
static enum nfart_status lower_and_tap(struct pipeline *p)
{
	const char *wanted = p->limits.tap;
	const struct nfart_proto *tap;
	enum nfart_status status = lower(&p->front.ast, &p->spec);
	struct diag_range where;
	uint32_t slot;
	char name[80] = "";

	if (status == NFART_GAVEUP)
		report_guards(p);
	if (status == NFART_OK)
		warn_machines(&p->spec, &p->diags);
	if (status == NFART_OK && !p->limits.machines)
		status = refuse_machines(p);
	if (status != NFART_OK || wanted == NULL || strcmp(wanted, p->spec.proto->name) == 0)
		return status;
	tap = find_protocol(p, wanted, strlen(wanted));
	if (p->failed)
		return NFART_SYSTEM;
	if (tap == NULL) {
		diag_report(&p->diags, DIAG_ERROR, "overlay", nowhere,
			    "overlay '%s' taps protocol '%s', "
			    "which does not exist",
			    p->setup.name, wanted);
		return NFART_INPUT;
	}
	status = spec_retap(&p->spec, tap, &where, &slot);
	if (status != NFART_NOFIT)
		return status;
	if (slot != UINT32_MAX)
		proto_slot_name(p->spec.proto, slot, name);
	diag_report(&p->diags, DIAG_ERROR, "not-tapped", where,
		    slot != UINT32_MAX
			    ? "overlay '%s' taps %s and does not see slot %s"
			    : "overlay '%s' taps %s, whose headers differ from this protocol's%s",
		    p->setup.name, wanted, name);
	return NFART_NOFIT;
}

static bool made_counters(const struct spec *s)
{
	return s->counters.n != 0 && s->counters.at[s->counters.n - 1].made;
}

/* Turns repetitions with large bounds into counters. If that needs more counters than the target
 * has, the threshold is doubled until they suffice. So the repetitions with the largest bounds get
 * the counters. */
static enum nfart_status count(struct pipeline *p)
{
	struct count_options o = {
		.threshold = p->options.passes.level == 0 ? 0 : p->options.count,
		.max_k = p->limits.max_k,
	};
	enum nfart_status status;

	status = spec_count(&p->spec, &o, &p->counts);
	while (status == NFART_OK && p->spec.counters.n > p->limits.counters &&
	       made_counters(&p->spec)) {
		spec_uncount(&p->spec, &p->counts);
		o.threshold *= 2;
		status = spec_count(&p->spec, &o, &p->counts);
	}
	return status;
}

static enum nfart_status optimise(struct pipeline *p)
{
	enum nfart_status status = NFART_SYSTEM;

	if (warn_anchored(&p->spec, &p->diags))
		status = count(p);
	if (status == NFART_OK)
		status = nfa_build(&p->nfa, &p->spec);
	if (status == NFART_OK && !nfa_bounds(&p->spec, &p->bound_states, &p->bound_edges))
		status = NFART_SYSTEM;
	p->options.passes.most_degree = p->limits.most_degree;
	if (status == NFART_OK)
		status = passes_run(&p->nfa, &p->options.passes, &p->passes);
	if (status == NFART_GAVEUP)
		diag_report(&p->diags, DIAG_ERROR, "too-large", nowhere,
			    "gave up: the automaton has more than %d states or %d transitions",
			    NFA_MAX_STATES, NFA_MAX_EDGES);
	if (status == NFART_INTERNAL)
		diag_report(&p->diags, DIAG_ERROR, "internal", nowhere,
			    "internal error after pass '%s': %s",
			    p->passes.at[p->passes.n - 1].name, p->passes.broken);
	progress_at(p->options.progress, "automaton", 0, "warnings");
	if (status == NFART_OK && !warn_automaton(&p->nfa, &p->diags))
		status = NFART_SYSTEM;
	return status;
}

/* Checks the sizes against the target, and finds a placement. The placement is tried even if the
 * sizes don't fit, so that one run reports everything that doesn't fit. */
static enum nfart_status fit(struct pipeline *p)
{
	const struct target *t = p->job.target;
	enum nfart_status sizes = t->fit(&p->job), states = NFART_OK;

	if (sizes != NFART_OK && sizes != NFART_NOFIT)
		return sizes;
	states = t->place(&p->job);
	if (states != NFART_OK && states != NFART_NOFIT && states != NFART_GAVEUP)
		return states;
	if (sizes == NFART_OK && states == NFART_OK)
		return NFART_OK;
	if (!p->options.unexplained && !t->explain(&p->job))
		return NFART_SYSTEM;
	return sizes != NFART_OK ? sizes : states;
}

/* Returns the protocol in whose slots batches arrive: the target's, or that of the filters. */
static const struct nfart_proto *tapped(struct pipeline *p)
{
	const char *name = p->limits.tap;

	return name != NULL ? find_protocol(p, name, strlen(name)) : p->front.ast.proto;
}

/* Reports a proof that failed. Returns NFART_INTERNAL in that case. */
static enum nfart_status report_proof(struct pipeline *p)
{
	size_t record = SIZE_MAX;

	if (p->verify.verdict != VERIFY_REFUTED)
		return p->diags.failed ? NFART_SYSTEM : NFART_OK;
	/* The first line is the message. The lines of the stream after it become notes, because a
	 * message has one line. */
	for (const char *at = p->verify.text.at, *end; at < p->verify.text.at + p->verify.text.n;
	     at = end + 1) {
		end = memchr(at, '\n', (size_t)(p->verify.text.at + p->verify.text.n - at));
		if (at == p->verify.text.at)
			record = diag_report(&p->diags, DIAG_ERROR, "internal", nowhere,
					     "internal error: %.*s", (int)(end - at), at);
		else
			diag_note(&p->diags, record, nowhere, "%.*s", (int)(end - at), at);
	}
	return NFART_INTERNAL;
}

/* Proves that the image means what the source says. If it does not, that is an internal error, and
 * the image is not written. */
static enum nfart_status verify(struct pipeline *p)
{
	struct verify_input in = {
		.job = &p->job,
		.ast = &p->front.ast,
		.tap = tapped(p),
		.steps = p->options.proof_steps,
		.progress = p->options.progress,
	};

	if (!verify_image(&in, p->options.verify, &p->verify))
		return NFART_SYSTEM;
	warn_bounded(&p->spec, &p->verify,
		     p->options.verify != VERIFY_FULL && p->options.proof_steps == 0, &p->diags);
	return report_proof(p);
}

/* Proves that the registers of a trace unit mean what the source says. */
static enum nfart_status verify_registers(struct pipeline *p)
{
	if (!registers_verify(&p->job, p->options.verify, p->options.proof_steps, &p->verify))
		return NFART_SYSTEM;
	if (p->verify.verdict == VERIFY_UP_TO)
		diag_report(&p->diags, DIAG_WARNING, "bounded", nowhere,
			    "the registers are proved to be right only for the first %" PRIu64
			    " cycles", p->verify.depth);
	return report_proof(p);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

enum nfart_status pipeline_run(struct pipeline *p, const struct pipeline_options *o,
			       const struct pipeline_file *files, size_t n)
{
	enum nfart_status status;
	uint64_t begin = now();

	memset(p, 0, sizeof *p);
	p->options = *o;
	p->options.passes.progress = p->options.map.progress = o->progress;
	choose_target(p);
	choose_protocol(p);
	p->spec.log = p->spec.log_counted = RX_NONE;
	p->diags.werror = o->werror;
	for (size_t i = 0; i < o->ndisabled; i++)
		if (!vec_push(&p->diags.disabled, o->disabled[i]))
			return NFART_SYSTEM;
	for (size_t i = 0; i < o->nfatal; i++)
		if (!vec_push(&p->diags.fatal, o->fatal[i]))
			return NFART_SYSTEM;

	progress_at(o->progress, "front end", 0, NULL);
	status = parse(p, files, n);                            /* text -> AST, checked */
	p->nanoseconds[STAGE_AST] = now() - begin;
	if (status != NFART_OK || o->last == STAGE_AST)
		return status;

	progress_at(o->progress, "automaton", 0, "construction");
	p->job.files = p->filters.at;
	p->job.nfiles = p->filters.n;
	status = lower_and_tap(p);                              /* AST -> spec */
	if (status == NFART_OK)
		warn_lines(p, files, n);
	p->nanoseconds[STAGE_SPEC] = now() - begin;
	if (status != NFART_OK || o->last == STAGE_SPEC)
		return status;

	if (p->job.target->map != NULL) {
		status = p->job.target->map(&p->job);           /* spec -> what has no image */
		p->nanoseconds[STAGE_MAP] = now() - begin;
		return status == NFART_OK ? verify_registers(p) : status; /* proves it */
	}

	status = optimise(p);                                   /* spec -> NFA -> homogeneous NFA */
	p->nanoseconds[STAGE_NFA] = now() - begin;
	if (status != NFART_OK || o->last == STAGE_NFA)
		return status;

	status = fit(p);                                        /* NFA -> placement */
	p->nanoseconds[STAGE_MAP] = now() - begin;
	if (status != NFART_OK || o->last == STAGE_MAP)
		return status;

	progress_at(o->progress, "image", 0, NULL);
	status = p->job.target->pack(&p->job);                  /* placement -> image */
	if (status == NFART_OK)
		status = p->job.target->load(&p->job);          /* image -> what an engine reads */
	p->nanoseconds[STAGE_IMAGE] = now() - begin;
	if (status == NFART_OK)
		status = verify(p);                             /* proves the image */
	return status;
}

void pipeline_free(struct pipeline *p)
{
	nfa_free(&p->nfa);
	count_log_free(&p->counts);
	spec_free(&p->spec);
	front_free(&p->front);
	for (size_t i = 0; i < p->protos.n; i++)
		proto_free(p->protos.at[i]);
	vec_free(&p->protos);
	vec_free(&p->filters);
	target_job_free(&p->job);
	verify_report_free(&p->verify);
	diag_free(&p->diags);
}
