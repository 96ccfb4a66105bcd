/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Finds the clock and the ports of the module of taps (Note [names in a tap's module]).
 */
#include "compiler/tap/tap_ports.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The words of SystemVerilog (IEEE 1800-2017, annex B), in their order. */
static const char *const words[] = {
	"accept_on", "alias", "always", "always_comb", "always_ff", "always_latch", "and",
	"assert", "assign", "assume", "automatic", "before", "begin", "bind", "bins", "binsof",
	"bit", "break", "buf", "bufif0", "bufif1", "byte", "case", "casex", "casez", "cell",
	"chandle", "checker", "class", "clocking", "cmos", "config", "const", "constraint",
	"context", "continue", "cover", "covergroup", "coverpoint", "cross", "deassign", "default",
	"defparam", "design", "disable", "dist", "do", "edge", "else", "end", "endcase",
	"endchecker", "endclass", "endclocking", "endconfig", "endfunction", "endgenerate",
	"endgroup", "endinterface", "endmodule", "endpackage", "endprimitive", "endprogram",
	"endproperty", "endsequence", "endspecify", "endtable", "endtask", "enum", "event",
	"eventually", "expect", "export", "extends", "extern", "final", "first_match", "for",
	"force", "foreach", "forever", "fork", "forkjoin", "function", "generate", "genvar",
	"global", "highz0", "highz1", "if", "iff", "ifnone", "ignore_bins", "illegal_bins",
	"implements", "implies", "import", "incdir", "include", "initial", "inout", "input",
	"inside", "instance", "int", "integer", "interconnect", "interface", "intersect", "join",
	"join_any", "join_none", "large", "let", "liblist", "library", "local", "localparam",
	"logic", "longint", "macromodule", "matches", "medium", "modport", "module", "nand",
	"negedge", "nettype", "new", "nexttime", "nmos", "nor", "noshowcancelled", "not", "notif0",
	"notif1", "null", "or", "output", "package", "packed", "parameter", "pmos", "posedge",
	"primitive", "priority", "program", "property", "protected", "pull0", "pull1", "pulldown",
	"pullup", "pulsestyle_ondetect", "pulsestyle_onevent", "pure", "rand", "randc", "randcase",
	"randsequence", "rcmos", "real", "realtime", "ref", "reg", "reject_on", "release",
	"repeat", "restrict", "return", "rnmos", "rpmos", "rtran", "rtranif0", "rtranif1",
	"s_always", "s_eventually", "s_nexttime", "s_until", "s_until_with", "scalared",
	"sequence", "shortint", "shortreal", "showcancelled", "signed", "small", "soft", "solve",
	"specify", "specparam", "static", "string", "strong", "strong0", "strong1", "struct",
	"super", "supply0", "supply1", "sync_accept_on", "sync_reject_on", "table", "tagged",
	"task", "this", "throughout", "time", "timeprecision", "timeunit", "tran", "tranif0",
	"tranif1", "tri", "tri0", "tri1", "triand", "trior", "trireg", "type", "typedef", "union",
	"unique", "unique0", "unsigned", "until", "until_with", "untyped", "use", "uwire", "var",
	"vectored", "virtual", "void", "wait", "wait_order", "wand", "weak", "weak0", "weak1",
	"while", "wildcard", "wire", "with", "within", "wor", "xnor", "xor"
};

static const char *const outputs[] = { "s_valid", "s_present", "s_header", "s_time",
				       "s_payload" };

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

const char *tap_text(struct arena *a, const char *format, ...)
{
	va_list ap;
	int n;
	char *s;

	va_start(ap, format);
	n = vsnprintf(NULL, 0, format, ap);
	va_end(ap);
	s = n < 0 ? NULL : arena_alloc(a, (size_t)n + 1);
	if (s == NULL)
		return NULL;
	va_start(ap, format);
	vsnprintf(s, (size_t)n + 1, format, ap);
	va_end(ap);
	return s;
}

/* Returns a name as it stands in Verilog. */
static const char *in_verilog(struct arena *a, const char *name)
{
	return bsearch(&name, words, sizeof words / sizeof words[0], sizeof words[0], by_text)
		       ? tap_text(a, "\\%s ", name)
		       : name;
}

static bool has_name(const char *const *names, uint32_t n, const char *name)
{
	for (uint32_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Has an interface anything to look at? */
static bool is_there(const struct tap_interface *s)
{
	return s->ntaps != 0 || s->nsignals != 0;
}

/* ---- the clock ---- */

/* Finds the clock. Taps without a clock have a sample in each cycle of a port `clk`. */
static enum nfart_status find_clock(struct tap_ports *x, struct nfart_error *e)
{
	const struct tap_form *form = x->p->taps;
	const struct tap_interface *first = NULL;
	const char *name = "clk";

	for (uint32_t i = 0; i < form->ninterfaces; i++) {
		const struct tap_interface *s = &form->interfaces[i];
		if (!is_there(s))
			continue;
		if (first == NULL)
			first = s;
		if ((s->nclocks == 0) != (first->nclocks == 0) || s->falling != first->falling)
			return nfart_fail(e, NFART_INPUT, "the interfaces '%s' and '%s' are not "
					  "sampled at the same edges, and a module has one clock",
					  first->name, s->name);
	}
	for (uint32_t k = 0; first->nclocks != 0; k++) {
		const struct tap_interface *lacks = NULL;
		if (k == first->nclocks)
			return nfart_fail(e, NFART_INPUT, "the interfaces have no name of the "
					  "clock in common, and a module has one clock");
		name = first->clocks[k];
		for (uint32_t i = 0; i < form->ninterfaces && lacks == NULL; i++) {
			const struct tap_interface *s = &form->interfaces[i];
			if (is_there(s) && !has_name(s->clocks, s->nclocks, name))
				lacks = s;
		}
		if (lacks == NULL)
			break;
	}
	if (has_name(outputs, sizeof outputs / sizeof outputs[0], name))
		return nfart_fail(e, NFART_INPUT, "the clock is called '%s', like an output of the "
				  "module", name);
	x->falling = first->falling;
	x->clock = in_verilog(&x->arena, name);
	return NFART_OK;
}

bool tap_is_clock(const struct tap_ports *x, const struct tap_interface *side, uint32_t signal)
{
	const char *clock = x->clock[0] == '\\' ? x->clock + 1 : x->clock;
	size_t n = strcspn(clock, " ");
	const char *name = side->signals[signal].name;

	return side->nclocks != 0 && side->signals[signal].maker == TAP_DESIGN &&
	       strlen(name) == n && memcmp(name, clock, n) == 0;
}

/* ---- signals ---- */

static bool is_in(const struct tap_expr *e, uint32_t signal)
{
	for (uint32_t i = 0; i < e->nsignals; i++)
		if (e->signals[i] == signal)
			return true;
	return false;
}

/* Is the signal a port? It is not one if only resets that the module does not have are about it. */
static bool is_port(const struct tap_interface *s, uint32_t signal)
{
	const struct tap_expr *e;
	bool other = false;

	if (s->signals[signal].maker != TAP_DESIGN)
		return false;
	if (s->nresets != 0 && is_in(&s->resets[0], signal))
		return true;
	for (uint32_t i = 1; i < s->nresets && !other; i++)
		other = is_in(&s->resets[i], signal);
	for (uint32_t i = 0; i < s->ntaps && other; i++)
		for (uint32_t k = 0; k < s->taps[i].nrows; k++) {
			const struct tap_row *row = &s->taps[i].rows[k];
			other = other && !is_in(&row->when, signal);
			for (uint32_t f = 0; f < row->nfields; f++)
				other = other && !is_in(&row->fields[f].value, signal);
		}
	for (uint32_t i = 0; other && (e = tap_memory_expr(s, i)) != NULL; i++)
		other = !is_in(e, signal);
	return !other;
}

/* Adds the port of a signal. False: out of memory. */
static bool add(struct tap_ports *x, uint32_t side, uint32_t signal)
{
	const struct tap_interface *s = &x->p->taps->interfaces[side];
	struct tap_port port = { .side = side, .signal = signal };

	port.plain = s->name == NULL ? s->signals[signal].name
				     : tap_text(&x->arena, "%s_%s", s->name,
						s->signals[signal].name);
	if (port.plain == NULL)
		return false;
	port.name = in_verilog(&x->arena, port.plain);
	if (s->signals[signal].bits > 1) {
		char *param = (char *)tap_text(&x->arena, "%s_BITS", port.plain);
		if (param == NULL)
			return false;
		port.param = param;
		for (; *param != 0; param++)
			*param = (char)toupper((unsigned char)*param);
	}
	return port.name != NULL && vec_push(&x->list, port);
}

/* Checks that all names differ. A parameter that is called like something else gets another
 * name. */
static enum nfart_status check_names(struct tap_ports *x, struct nfart_error *e)
{
	for (size_t i = 0; i < x->list.n; i++) {
		struct tap_port *port = &x->list.at[i];
		bool taken = has_name(outputs, sizeof outputs / sizeof outputs[0], port->plain) ||
			     strcmp(port->name, x->clock) == 0;
		for (size_t k = 0; k < x->list.n; k++) {
			const struct tap_port *other = &x->list.at[k];
			taken = taken || (k < i && strcmp(port->plain, other->plain) == 0);
			if (port->param != NULL &&
			    (strcmp(port->param, other->plain) == 0 ||
			     (k < i && other->param != NULL &&
			      strcmp(port->param, other->param) == 0)))
				port->param = tap_text(&x->arena, "%s$bits", port->plain);
		}
		if (taken)
			return nfart_fail(e, NFART_INPUT, "a signal would be the port '%s' of the "
					  "module, and it has another one of that name",
					  port->plain);
		if (x->p->taps->interfaces[port->side].signals[port->signal].bits > 1 &&
		    port->param == NULL)
			return nfart_fail(e, NFART_SYSTEM, "out of memory");
	}
	return NFART_OK;
}

/* Adds the ports of the signals of resets, or those of the other signals. */
static enum nfart_status add_all(struct tap_ports *x, bool of_resets, struct nfart_error *e)
{
	for (uint32_t i = 0; i < x->p->taps->ninterfaces; i++) {
		const struct tap_interface *s = &x->p->taps->interfaces[i];
		for (uint32_t k = 0; k < s->nsignals; k++) {
			bool of_reset = s->nresets != 0 && is_in(&s->resets[0], k);
			if (tap_is_clock(x, s, k) && s->signals[k].bits > 1)
				return nfart_fail(e, NFART_INPUT, "the clock '%s' is a signal with "
						  "several bits", s->signals[k].name);
			if (of_reset == of_resets && !tap_is_clock(x, s, k) && is_port(s, k) &&
			    !add(x, i, k))
				return nfart_fail(e, NFART_SYSTEM, "out of memory");
		}
	}
	return NFART_OK;
}

enum nfart_status tap_ports_find(struct tap_ports *x, const struct nfart_proto *p,
				 struct nfart_error *e)
{
	enum nfart_status status;
	char *module;

	*x = (struct tap_ports){ .p = p };
	if (p->taps == NULL)
		return nfart_fail(e, NFART_INPUT, "protocol '%s' has no taps", p->name);
	module = (char *)tap_text(&x->arena, "nfacc_tap_%s", p->name);
	x->module = module;
	for (; module != NULL && *module != 0; module++)
		if (!isalnum((unsigned char)*module))
			*module = '_';
	status = find_clock(x, e);
	if (status == NFART_OK && (module == NULL || x->clock == NULL))
		status = nfart_fail(e, NFART_SYSTEM, "out of memory");
	if (status == NFART_OK)
		status = add_all(x, true, e);
	if (status == NFART_OK)
		status = add_all(x, false, e);
	return status == NFART_OK ? check_names(x, e) : status;
}

void tap_ports_free(struct tap_ports *x)
{
	vec_free(&x->list);
	arena_free(&x->arena);
}
