/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "grammar/front.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "grammar/parse.h"

const struct front_warning front_warnings[] = {
	{ "never-matches", "a predicate that is never true", true },
	{ "always-matches", "a predicate that is always true", true },
	{ "unused-let", "a name that nothing uses", true },
	{ "etm-inputs", "how many external inputs the trace unit of the core has is not known",
	  true },
	{ "etm-priority",
	  "registers of a trace unit rely on a point that other registers would not", true },
	{ "etm-setting", "a register of a trace unit that is read has an odd or reserved value",
	  true },
	{ "etm-unused", "a register of a trace unit that is read is programmed for nothing", true },
	{ "no-addresses", "a substream in a protocol without addresses", true },
	{ "anchored", "a filter that can match only at the beginning of the trace", true },
	{ "empty-filter", "a label that no stream is accepted with", true },
	{ "contained-label", "a label that accepts nothing that another one does not", false },
	{ "equal-labels", "two labels that accept the same", true },
	{ "missed", "a filter that takes it for proof that there is no message", true },
	{ "useless-log", "a log that makes no difference to the output", true },
	{ "flight", "rules of coherence with more messages under way than they allow", true },
	{ "unreached", "a value or a rule of coherence that no run reaches", true },
	{ "missing-rule", "a message of coherence that a node or all rules leave out",
	  true },
	{ "doubled-setting", "rules of coherence that set the same twice", true },
	{ "checker-loss", "a checker of coherence that a loss misleads", true },
	{ "checker-lines", "a checker of coherence that takes all lines for one", true },
	{ "checker-sets", "a checker of coherence that keeps sets of states", true },
	{ "checker-order", "a checker of coherence that needs an order batches do not tell", true },
	{ "never-counts", "a counter of a machine that no rule counts", true },
	{ "never-entered", "a state of a machine that no transition enters", true },
	{ "hidden-transition", "a transition of a machine that an earlier one always hides", true },
	{ "bounded", "an image that is proved for streams of some length only", true },
	{ NULL, NULL, false }
};

size_t front_error(struct front *f, const char *code, struct diag_range range, const char *format,
		   ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	return diag_report(f->diags, DIAG_ERROR, code, range, "%s", text);
}

void front_check_hiding(struct front *f, const struct ast_name *name)
{
	const struct nfart_proto *p = front_protocol(f);
	const struct ast_sym *s;
	const char *what = NULL;

	if (p == NULL || name->sym == AST_NIL)
		return;
	s = &f->ast.syms.at[name->sym];
	if (proto_find_type(p, s->text, s->n) >= 0)
		what = "a type";
	else if (proto_find_event(p, s->text, s->n) >= 0)
		what = "an event";
	else if (proto_find_group(p, s->text, s->n) >= 0)
		what = "a group";
	if (what != NULL)
		front_error(f, "hidden-name", name->range, "'%s' is %s of protocol '%s'", s->text,
			    what, p->name);
}

/* The name of the protocol of a source that names none. */
static const char *usual(const struct front *f)
{
	return f->options.usual_protocol != NULL ? f->options.usual_protocol : "eci";
}

const struct nfart_proto *front_protocol(struct front *f)
{
	if (f->ast.proto == NULL)
		f->ast.proto = f->options.find_protocol(f->options.ctx, usual(f), strlen(usual(f)));
	return f->ast.proto;
}

bool front_set_protocol(struct front *f, struct diag_range keyword, const struct ast_name *name,
			bool first)
{
	const char *text = ast_text(&f->ast, name->sym);
	const struct nfart_proto *p;
	size_t errors;

	if (!first) {
		front_error(f, "protocol", keyword, "'protocol' comes once in a file, and first");
		return true;
	}
	errors = f->diags->errors;
	p = f->options.find_protocol(f->options.ctx, text, strlen(text));
	f->stopped = true;
	if (p == NULL && f->diags->errors != errors)
		return false; /* the protocol exists; errors in its description were reported */
	if (p == NULL) {
		size_t at = front_error(f, "protocol", name->range, "no protocol '%s'", text);
		front_suggest_protocol(f, at, name->sym, name->range);
		return false;
	}
	if (f->ast.proto != NULL && strcmp(f->ast.proto->name, p->name) != 0) {
		front_error(f, "protocol", name->range,
			    "what comes before this file is for protocol '%s'",
			    f->ast.proto->name);
		return false;
	}
	f->ast.proto = p;
	f->stopped = false;
	return true;
}

/* Appends a substream statement with the ranges `ADDRESS,LINES,ADDRESS,LINES…`. */
static void substream_text(const char *ranges, struct buf *b)
{
	bool count = false;

	buf_addf(b, "substream cl from ");
	for (; *ranges != 0; ranges++) {
		if (*ranges != ',') {
			buf_add(b, ranges, 1);
			continue;
		}
		buf_addf(b, count ? ", from " : " count ");
		count = !count;
	}
	buf_addf(b, ";\n");
}

/* Appends the statements that were given as options to b as filter text. */
static void option_text(const struct front_options *o, struct buf *b)
{
	if (o->protocol != NULL)
		buf_addf(b, "protocol %s;\n", o->protocol);
	if (o->has_window)
		buf_addf(b, "window %" PRIu64 ", %" PRIu64 ";\n", o->window, o->window_after);
	if (o->substream != NULL)
		substream_text(o->substream, b);
	if (o->tick != 0)
		buf_addf(b, "tick %" PRIu64 ";\n", o->tick);
	if (o->log != NULL)
		buf_addf(b, "log = %s;\n", o->log);
}

/* Reports that the protocol of the option does not exist, if so. The option stands in no source, so
 * the message has no place. Errors in the description of the protocol are reported with it. */
static enum nfart_status check_option(struct front *f, const char *name)
{
	struct diag_range none = { DIAG_NO_SOURCE, 0, 0 };
	size_t errors = f->diags->errors;
	const char *near;

	if (name == NULL || f->options.find_protocol(f->options.ctx, name, strlen(name)) != NULL)
		return NFART_OK;
	f->stopped = true;
	if (f->diags->errors != errors)
		return NFART_INPUT;
	near = front_nearest_protocol(f, name);
	if (near != NULL)
		front_error(f, "protocol", none, "no protocol '%s'; did you mean '%s'?", name, near);
	else
		front_error(f, "protocol", none, "no protocol '%s'", name);
	return NFART_INPUT;
}

enum nfart_status front_init(struct front *f, struct diags *diags,
			     const struct front_options *options)
{
	enum nfart_status status = NFART_OK;
	struct buf b = { 0 };

	memset(f, 0, sizeof *f);
	f->diags = diags;
	f->options = *options;
	f->last_source = DIAG_NO_SOURCE;
	f->errors = diags->errors;
	status = param_options(f);
	if (status == NFART_OK)
		status = check_option(f, options->protocol);
	option_text(options, &b);
	if (b.failed)
		status = NFART_SYSTEM;
	else if (status == NFART_OK && b.n != 0)
		status = front_parse(f, "<options>", b.at, b.n, false);
	buf_free(&b);
	return status;
}

enum nfart_status front_parse(struct front *f, const char *name, const char *text, size_t n,
			      bool yaml)
{
	size_t before = f->diags->errors;
	struct parse p = { .front = f, .what = PARSE_FILE };
	bool ok;

	p.source = f->last_source = diag_add_source(f->diags, name, text, n);
	if (p.source == DIAG_NO_SOURCE)
		return NFART_SYSTEM;
	if (f->stopped)
		return NFART_INPUT;
	p.text = f->diags->sources.at[p.source].text;
	p.n = n;
	ok = yaml ? yaml_parse(f, p.source) : parse_run(&p);
	if (!ok || f->ast.failed)
		return NFART_SYSTEM;
	return f->diags->errors != before ? NFART_INPUT : NFART_OK;
}

enum nfart_status front_finish(struct front *f)
{
	if (f->ast.failed)
		return NFART_SYSTEM;
	if (!f->stopped && front_protocol(f) == NULL) {
		struct diag_range none = { DIAG_NO_SOURCE, 0, 0 };
		front_error(f, "protocol", none, "no protocol '%s', which is the default",
			    usual(f));
		f->stopped = true;
	}
	if (!f->stopped && !check_unit(f))
		return NFART_SYSTEM;
	return f->diags->errors != f->errors ? NFART_INPUT : param_finish(f);
}

void front_free(struct front *f)
{
	vec_free(&f->params);
	vec_free(&f->given);
	ast_free(&f->ast);
}
