/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Text -> AST: protocols, filters, filters derived from rules of coherence. */
#include "compiler/stage.h"

#include <stdlib.h>
#include <string.h>

#include "contract/etm/etm_text.h"
#include "grammar/describe/builtin.h"
#include "grammar/describe/proto_text.h"

static const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

/* Finds a protocol, with the parameters of -D. One that it has is used, whether a filter has it,
 * too, or not. Returns what proto_find() does. */
static enum nfart_status find_with_params(struct pipeline *p, const char *name, size_t n,
					  struct nfart_proto **made)
{
	const struct pipeline_options *o = &p->options;
	size_t nparams = p->front.given.n;
	struct proto_given given = { o->front.params, nparams,
				     calloc(nparams + 1, sizeof *given.used) };
	enum nfart_status status = NFART_SYSTEM;

	*made = NULL;
	if (given.used != NULL)
		status = proto_find_given(&p->diags, o->dirs, o->ndirs, &given, name, n, made);
	for (size_t i = 0; i < nparams && given.used != NULL; i++)
		p->front.given.at[i].used |= given.used[i];
	free(given.used);
	return status;
}

/* Finds a protocol, which may be that of the core. Returns what proto_find() does. */
static enum nfart_status make_protocol(struct pipeline *p, const char *name, size_t n,
				       struct nfart_proto **made)
{
	const struct pipeline_options *o = &p->options;
	const size_t prefix = strlen(ETM_PROTO_PREFIX);
	enum nfart_status status = NFART_SYSTEM;
	struct buf text = { 0 };

	if (o->etm.core == NULL || n != prefix + strlen(o->etm.core->name) ||
	    memcmp(name, ETM_PROTO_PREFIX, prefix) != 0 ||
	    memcmp(name + prefix, o->etm.core->name, n - prefix) != 0)
		return find_with_params(p, name, n, made);
	*made = NULL;
	etm_core_protocol(o->etm.core, &text);
	if (!text.failed)
		status = proto_parse(&p->diags, o->dirs, o->ndirs, "<the protocol of the core>",
				     text.at, text.n, made);
	buf_free(&text);
	return status;
}

const struct nfart_proto *stage_find_protocol(struct pipeline *p, const char *name, size_t n)
{
	struct nfart_proto *made;

	for (size_t i = 0; i < p->protocols.found.n; i++)
		if (strncmp(p->protocols.found.at[i]->name, name, n) == 0 &&
		    p->protocols.found.at[i]->name[n] == 0)
			return p->protocols.found.at[i];
	if (make_protocol(p, name, n, &made) == NFART_SYSTEM)
		p->failed = true;
	if (made != NULL && !vec_push(&p->protocols.found, made)) {
		proto_free(made);
		p->failed = true;
		return NULL;
	}
	return made;
}

static const struct nfart_proto *find_protocol(void *ctx, const char *name, size_t n)
{
	return stage_find_protocol(ctx, name, n);
}

static const char *protocol_name(void *ctx, size_t i)
{
	(void)ctx;
	return builtin_protocols[i].name;
}

void stage_choose_protocol(struct pipeline *p)
{
	const struct pipeline_options *o = &p->options;

	if (o->front.protocol != NULL)
		snprintf(p->protocols.usual, sizeof p->protocols.usual, "%s", o->front.protocol);
	else if (o->etm.core != NULL)
		snprintf(p->protocols.usual, sizeof p->protocols.usual, ETM_PROTO_PREFIX "%s",
			 o->etm.core->name);
	else
		snprintf(p->protocols.usual, sizeof p->protocols.usual, "eci");
}

/* Derives a filter from rules of coherence, and parses it. Its source is the derived text, whose
 * name says that it is no file. *known says whether its stream begins when the system begins. */
static enum nfart_status parse_coherence(struct pipeline *p, const struct pipeline_file *file,
					 bool *known)
{
	struct coh_options find = { find_protocol, p };
	struct coherence_options how = p->options.coherence;
	uint32_t source = diag_add_source(&p->diags, file->name, file->text, file->n);
	const char *slash = strrchr(file->name, '/');
	struct buf text = { 0 }, name = { 0 };
	enum nfart_status status = NFART_SYSTEM;
	struct coherence_made made = { .kept = { 0 } };

	how.progress = p->options.progress;
	p->front.last_source = DIAG_NO_SOURCE;
	buf_addf(&name, "<derived from %s>", slash != NULL ? slash + 1 : file->name);
	if (source != DIAG_NO_SOURCE && !name.failed)
		status = coherence_derive(&p->diags, source, &find, &how, &text, &made);
	progress_at(p->options.progress, "front end", 0, NULL);
	if (status == NFART_OK) {
		*known = made.known;
		status = front_parse(&p->front, name.at, text.at, text.n, false);
	}
	if (status == NFART_OK)
		diag_derive(&p->diags, p->front.last_source, made.name);
	buf_add(&p->target.kept, made.kept.at, made.kept.n);
	p->target.follow = p->target.follow || made.follow;
	if (made.kept.failed || p->target.kept.failed)
		status = NFART_SYSTEM;
	buf_free(&made.kept);
	buf_free(&text);
	buf_free(&name);
	return status;
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

enum nfart_status stage_parse(struct pipeline *p, const struct pipeline_file *files, size_t n)
{
	struct front_options o = p->options.front;
	bool checkers = false, others = false, any_known = false;
	enum nfart_status status, worst = NFART_OK;

	o.find_protocol = find_protocol;
	o.protocol_name = protocol_name;
	o.usual_protocol = p->protocols.usual;
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
