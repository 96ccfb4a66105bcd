/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfarun/list_signals.h"

#include <inttypes.h>
#include <string.h>

#include "contract/proto/tap.h"
#include "grammar/describe/builtin.h"
#include "runtime/wave/tap_names.h"
#include "runtime/wave/tap_place.h"
#include "runtime/wave/wave.h"
#include "support/escape.h"
#include "tools/nfarun/output.h"
#include "tools/nfarun/process.h"
#include "tools/nfarun/protocol.h"

/* Writes a line for each place of the protocol's interface. A protocol with several says in its
 * description where they are. False: out of memory. */
static bool list_places(const struct nfart_proto *p, const char *name,
			const struct tap_names *names, FILE *f)
{
	struct tap_places places;
	struct buf b = { 0 };
	bool ok;

	if (p->taps == NULL || p->taps->ninterfaces != 1)
		return true;
	ok = tap_places_find(&places, names, &p->taps->interfaces[0]);
	for (size_t i = 0; i < places.n && ok; i++) {
		b.n = 0;
		buf_addf(&b, "-p ");
		escape_shell(&b, name);
		buf_addf(&b, " --at ");
		escape_shell(&b, places.prefixes[i]);
		ok = !b.failed;
		if (ok)
			fprintf(f, "%s\n", b.at);
	}
	buf_free(&b);
	tap_places_free(&places);
	return ok;
}

/* Writes the interfaces of all protocols. A shipped one with payload has the signals of the one that
 * it extends, and is left out. False: out of memory. */
static bool list_interfaces(const struct nfarun_options *o, const struct nfart_proto *given,
			    const struct tap_names *names, FILE *f)
{
	bool ok = given == NULL || list_places(given, o->protocol, names, f);

	for (const struct builtin *b = builtin_protocols; b->name != NULL && ok; b++) {
		struct nfart_proto *p;
		if (o->protocol != NULL && strcmp(o->protocol, b->name) == 0)
			continue;
		p = proto_builtin(b->name);
		ok = p != NULL && (p->payload != 0 || list_places(p, b->name, names, f));
		proto_free(p);
	}
	return ok;
}

static void list_variables(const struct wave *w, FILE *f)
{
	static const char *const kinds[] = { [WAVE_LOGIC] = "",
					     [WAVE_REAL] = " real",
					     [WAVE_STRING] = " string",
					     [WAVE_EVENT] = " event" };
	size_t n;
	const struct wave_variable *v = wave_variables(w, &n);
	struct buf b = { 0 };

	for (size_t i = 0; i < n; i++) {
		b.n = 0;
		buf_add_shown(&b, v[i].path, strlen(v[i].path));
		if (!b.failed)
			fprintf(f, "signal %s %" PRIu32 "%s\n", b.at, v[i].width,
				kinds[v[i].kind]);
	}
	buf_free(&b);
}

/* Lists a waveform that is open. Returns an exit code. */
static int list(const struct nfarun_options *o, const struct wave *w)
{
	struct protocol given = { NULL, NULL };
	struct tap_names names = { 0 };
	struct outfile out;
	struct nfart_error e;
	int code = NFART_OK;

	if (o->protocol != NULL)
		code = protocol_open_with(&given, "nfarun", o->output.when_colour, o->protocol,
					  &o->dirs, &o->params);
	if (code != NFART_OK)
		return code;
	if (output_open(&out, o->output.out, &e) != NFART_OK) {
		code = process_report(&e);
	} else {
		if (!tap_names_make(&names, w) || !list_interfaces(o, given.p, &names, out.f)) {
			nfart_fail(&e, NFART_SYSTEM, "out of memory");
			code = process_report(&e);
		} else {
			list_variables(w, out.f);
			if (outfile_commit(&out, &e) != NFART_OK)
				code = process_report(&e);
		}
		outfile_abort(&out);
	}
	tap_names_free(&names);
	protocol_close(&given);
	return code;
}

int list_signals_run(const struct nfarun_options *o)
{
	struct nfart_error e;
	struct wave *w = wave_open(o->files.trace != NULL ? o->files.trace : "-", &e);
	int code;

	if (w == NULL)
		return process_report(&e);
	code = list(o, w);
	wave_close(w);
	return code;
}
