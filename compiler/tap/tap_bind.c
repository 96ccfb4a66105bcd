/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Writes the SystemVerilog `bind` that puts the module of taps into a design, and that of a monitor
 * behind it. The scope is the one that all prefixes have in common. A signal in a scope inside of
 * it has the rest of the path before its name. Clock and resets have no prefix: they are looked for
 * in that scope.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "compiler/tap/tap_ports.h"
#include "compiler/tap/tap_verilog.h"

struct binding {
	const struct tap_ports *ports;
	const struct tap_where *where;
	const char *scope; /* of `n` letters */
	size_t n;
	bool monitor;      /* a monitor is bound, too */
};

/* Returns what follows NAME= if s begins so, else NULL. `n` is the length of the name. */
static const char *after(const char *s, const char *name, size_t n)
{
	return strncmp(s, name, n) == 0 && s[n] == '=' ? s + n + 1 : NULL;
}

/* Returns the prefix of an interface. NULL: nobody said it. */
static const char *prefix_of(const struct tap_where *where, const struct tap_interface *x)
{
	for (size_t i = where->nat; i-- > 0;) {
		const char *s = x->name == NULL ? where->at[i]
						: after(where->at[i], x->name, strlen(x->name));
		if (s != NULL)
			return s;
	}
	return x->prefix[0] != 0 ? x->prefix : NULL;
}

/* Returns how many letters of a prefix are the scope, without its last dot. */
static size_t scope_of(const char *prefix)
{
	const char *dot = strrchr(prefix, '.');

	return dot != NULL ? (size_t)(dot - prefix) : 0;
}

/* Narrows the scope to what it has in common with that of a prefix. */
static void common_scope(struct binding *b, const char *prefix)
{
	size_t n = scope_of(prefix), k = 0, same = 0;

	if (b->scope == NULL) {
		b->scope = prefix;
		b->n = n;
		return;
	}
	/* Whole names are the same up to here. */
	for (; k <= n && k <= b->n; k++) {
		bool end = k == n || prefix[k] == '.', other = k == b->n || b->scope[k] == '.';
		if (end && other)
			same = k;
		if (k == n || k == b->n || prefix[k] != b->scope[k])
			break;
	}
	b->n = same;
}

/* Returns what --signal says of a port. NULL: nothing. */
static const char *outright(const struct binding *b, const char *port)
{
	for (size_t i = b->where->nsignals; i-- > 0;) {
		const char *s = after(b->where->signals[i], port, strlen(port));
		if (s != NULL)
			return s;
	}
	return NULL;
}

/* Is the signal one of the reset? */
static bool is_reset(const struct tap_interface *x, uint32_t signal)
{
	for (uint32_t i = 0; x->nresets != 0 && i < x->resets[0].nsignals; i++)
		if (x->resets[0].signals[i] == signal)
			return true;
	return false;
}

/* Appends what is connected to a port. */
static void add_signal(const struct binding *b, const struct tap_port *port, struct buf *out)
{
	const struct tap_interface *x = &b->ports->p->taps->interfaces[port->side];
	const char *said = outright(b, port->plain), *prefix = prefix_of(b->where, x);
	size_t skip = b->n != 0 ? b->n + 1 : 0;

	if (said != NULL)
		buf_addf(out, "%s", said);
	else if (is_reset(x, port->signal))
		buf_addf(out, "%s", x->signals[port->signal].name);
	else
		buf_addf(out, "%s%s", prefix + skip, x->signals[port->signal].name);
}

/* Appends what the instances in this scope are told apart by, behind the word before it: what the
 * first prefix has behind the scope. */
static void add_suffix(const struct binding *b, struct buf *out)
{
	const char *prefix = prefix_of(b->where, &b->ports->p->taps->interfaces[0]);
	const char *s = prefix + b->n + (prefix[b->n] == '.');
	size_t n = strlen(s);

	while (n > 0 && (s[n - 1] == '_' || s[n - 1] == '.'))
		n--;
	if (n != 0)
		buf_addf(out, "_");
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%c", isalnum((unsigned char)s[i]) ? s[i] : '_');
}

/* Appends the name of an output of the module, or nothing if nobody reads it. */
static void add_outputs(const struct binding *b, struct buf *out)
{
	static const char *const outputs[] = { "s_valid", "s_present", "s_header", "s_time",
					       "s_payload" };
	size_t n = sizeof outputs / sizeof *outputs - (b->ports->p->payload == 0);

	for (size_t i = 0; i < n; i++) {
		buf_addf(out, ",%s.%s(", b->monitor || i == 0 ? "\n\t" : " ", outputs[i]);
		if (b->monitor) {
			buf_addf(out, "nfacc_tap");
			add_suffix(b, out);
			buf_addf(out, ".%s", outputs[i]);
		}
		buf_addf(out, ")");
	}
	if (b->monitor && b->ports->p->payload == 0)
		buf_addf(out, ",\n\t.s_payload(1'b0)");
	buf_addf(out, "\n);\n");
}

/* Appends the clock, which is the first port. */
static void add_clock(const struct binding *b, const char *port, struct buf *out)
{
	const char *clock = outright(b, b->ports->clock);

	buf_addf(out, " (\n\t.%s(%s)", port, clock != NULL ? clock : b->ports->clock);
}

static void add_tap(const struct binding *b, struct buf *out)
{
	const struct tap_ports *x = b->ports;
	struct binding alone = *b;
	bool first = true;

	buf_addf(out, "bind %.*s %s", (int)b->n, b->scope, x->module);
	for (size_t i = 0; i < x->list.n; i++) {
		if (x->list.at[i].param == NULL)
			continue;
		buf_addf(out, "%s\n\t.%s($bits(", first ? " #(" : "),", x->list.at[i].param);
		add_signal(b, &x->list.at[i], out);
		buf_addf(out, ")");
		first = false;
	}
	buf_addf(out, "%s %s", first ? "" : ")\n)", b->monitor ? "nfacc_tap" : "tap");
	if (b->monitor)
		add_suffix(b, out);
	add_clock(b, x->clock, out);
	for (size_t i = 0; i < x->list.n; i++) {
		buf_addf(out, ",\n\t.%s(", x->list.at[i].name);
		add_signal(b, &x->list.at[i], out);
		buf_addf(out, ")");
	}
	alone.monitor = false;
	add_outputs(&alone, out);
}

/* Appends the bind of the monitor. Its name is the place of the first interface. */
static void add_monitor(const struct binding *b, struct buf *out)
{
	const struct nfart_proto *p = b->ports->p;
	const char *prefix = prefix_of(b->where, &p->taps->interfaces[0]);
	size_t n = strlen(prefix);

	while (n > b->n && (prefix[n - 1] == '_' || prefix[n - 1] == '.'))
		n--;
	buf_addf(out, "bind %.*s nfacc_monitor #(\n\t.SLOTS(%u),\n\t.HEADER_BITS(%u),\n"
		      "\t.PAYLOAD(%u),\n\t.FINGERPRINT(64'h%016" PRIx64 "),\n\t.FALLING(1'b%d),\n"
		      "\t.NAME(\"%.*s\")\n) nfacc_monitor",
		 (int)b->n, b->scope, p->nslots, p->header.bits, p->payload,
		 proto_fingerprint(p), b->ports->falling, (int)n, prefix);
	add_suffix(b, out);
	add_clock(b, "clk", out);
	add_outputs(b, out);
}

static void add_bind(const struct binding *b, struct buf *out)
{
	buf_addf(out, "// Made by nfacc --emit=%s: %s in %.*s.\n",
		 b->monitor ? "monitor" : "bind", b->ports->module, (int)b->n, b->scope);
	add_tap(b, out);
	if (b->monitor)
		add_monitor(b, out);
}

/* Is a prefix made of names of Verilog? */
static bool is_place(const char *s)
{
	while (*s != 0 && (isalnum((unsigned char)*s) || *s == '_' || strchr("$.[]", *s) != NULL))
		s++;
	return *s == 0;
}

/* Checks that each --at and --signal is for something of the taps. */
static enum nfart_status check(const struct binding *b, struct nfart_error *e)
{
	const struct tap_form *form = b->ports->p->taps;

	for (size_t i = 0; i < b->where->nat; i++) {
		const char *s = b->where->at[i];
		bool found = false;
		for (uint32_t k = 0; k < form->ninterfaces && !found; k++) {
			const char *name = form->interfaces[k].name;
			found = name == NULL || after(s, name, strlen(name)) != NULL;
		}
		if (!found)
			return nfart_fail(e, NFART_USAGE, "--at '%.100s': the protocol has several "
					  "interfaces; write --at %s=PREFIX", s,
					  form->interfaces[0].name);
	}
	for (size_t i = 0; i < b->where->nsignals; i++) {
		const char *s = b->where->signals[i];
		bool found = after(s, b->ports->clock, strlen(b->ports->clock)) != NULL;
		for (size_t k = 0; k < b->ports->list.n && !found; k++) {
			const char *name = b->ports->list.at[k].plain;
			found = after(s, name, strlen(name)) != NULL;
		}
		if (!found)
			return nfart_fail(e, NFART_USAGE, "--signal '%.100s': write "
					  "NAME=EXPRESSION, with the name of a port of the module",
					  s);
	}
	return NFART_OK;
}

enum nfart_status tap_bind_print(const struct nfart_proto *p, const struct tap_where *where,
				 bool monitor, struct buf *b, struct nfart_error *e)
{
	struct tap_ports ports;
	enum nfart_status status = tap_ports_find(&ports, p, e);
	struct binding x = { .ports = &ports, .where = where, .monitor = monitor };

	if (status == NFART_OK)
		status = check(&x, e);
	for (uint32_t i = 0; status == NFART_OK && i < p->taps->ninterfaces; i++) {
		const char *prefix = prefix_of(where, &p->taps->interfaces[i]);
		const char *use = p->taps->interfaces[i].name;
		if (prefix == NULL)
			status = nfart_fail(e, NFART_USAGE, "where are the signals%s%s? Write --at "
					    "%s%sPREFIX", use != NULL ? " of " : "",
					    use != NULL ? use : "", use != NULL ? use : "",
					    use != NULL ? "=" : "");
		else if (!is_place(prefix))
			status = nfart_fail(e, NFART_USAGE, "--at '%.100s': a place in a design has "
					    "names of letters, digits, _ and $, dots and indices; use "
					    "--signal for others", prefix);
		else
			common_scope(&x, prefix);
	}
	if (status == NFART_OK && x.n == 0)
		status = nfart_fail(e, NFART_USAGE, "--at: no scope that the signals have in "
				    "common; write SCOPE.PREFIX");
	if (status == NFART_OK)
		add_bind(&x, b);
	tap_ports_free(&ports);
	return status;
}
