/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Reads the map that says what the sources of a capture mean (nfacc-trace(5)). It is a JSON text:
 *
 *   { "payload_width": 74, "source_width": 3, "timestamp_width": 51,
 *     "sources": { "0": { "group": "cpu", "vc_lsb": 69, "vc_width": 5 },
 *                  "1": { "group": "fpga", "channel": 4 } } }
 *
 * The widths are those of a dump's 128-bit samples, and default to these values. The capture of a
 * logic analyser has its channels in a column of its own, and uses only the groups.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/trace/format/ring.h"

/* The built-in map, for taps of protocol eci. Sources 0 to 2 are the CPU's MREQ messages, its MRSP
 * messages without data, and those with data. Sources 3 to 5 are the FPGA's MRSP messages without
 * data, those with data, and its MFWD messages. */
static const char builtin[] =
	"{ \"sources\": {"
	"\"0\": { \"group\": \"cpu\", \"vc_lsb\": 69, \"vc_width\": 5 },"
	"\"1\": { \"group\": \"cpu\", \"vc_lsb\": 69, \"vc_width\": 5 },"
	"\"2\": { \"group\": \"cpu\", \"vc_lsb\": 69, \"vc_width\": 5 },"
	"\"3\": { \"group\": \"fpga\", \"vc_lsb\": 69, \"vc_width\": 5 },"
	"\"4\": { \"group\": \"fpga\", \"vc_lsb\": 69, \"vc_width\": 5 },"
	"\"5\": { \"group\": \"fpga\", \"vc_lsb\": 69, \"vc_width\": 5 } } }";

/* Reads the integer member `key` of the object o to *x. It must be in [lowest, most]. If the member
 * is missing, *x becomes `preset`; but if `preset` is -1, a missing member is an error. `where`
 * names o in errors. False: *e says why. */
static bool get_integer(const json_t *o, const char *where, const char *key, int lowest, int most,
			int preset, uint32_t *x, struct nfart_error *e)
{
	const json_t *v = json_object_get(o, key);

	if (v == NULL && preset >= 0) {
		*x = (uint32_t)preset;
		return true;
	}
	if (!json_is_integer(v) || json_integer_value(v) < lowest || json_integer_value(v) > most) {
		nfart_fail(e, NFART_INPUT, "'%s%s' must be a number from %d to %d",
			   where, key, lowest, most);
		return false;
	}
	*x = (uint32_t)json_integer_value(v);
	return true;
}

static bool read_source(struct source_map *m, const struct nfart_proto *p, const char *id,
			const json_t *o, struct nfart_error *e)
{
	const char *group = json_string_value(json_object_get(o, "group"));
	char where[64], *end;
	unsigned long n = strtoul(id, &end, 10);
	int payload = (int)m->payload_width, g;
	uint32_t channel = 0;
	struct source *s;

	snprintf(where, sizeof where, "sources.%.40s.", id);
	if (*id < '0' || *id > '9' || *end != 0 || n >= (1ul << m->source_width) - 1) {
		nfart_fail(e, NFART_INPUT, "'%s' is no source id below %lu",
			   id, (1ul << m->source_width) - 1);
		return false;
	}
	g = group == NULL ? -1 : proto_find_group(p, group, strlen(group));
	if (g < 0) {
		nfart_fail(e, NFART_INPUT, "'%sgroup' must be a group of protocol %s",
			   where, p->name);
		return false;
	}
	s = &m->sources[n];
	s->known = true;
	s->group = (uint32_t)g;
	s->channel = PROTO_NO_CHANNEL;
	s->has_place = json_object_get(o, "vc_lsb") != NULL;
	if (s->has_place) {
		if (!get_integer(o, where, "vc_lsb", 0, payload - 1, -1, &s->vc_lsb, e))
			return false;
		payload -= (int)s->vc_lsb;
		return get_integer(o, where, "vc_width", 1, payload < 16 ? payload : 16, -1,
				   &s->vc_width, e);
	}
	if (json_object_get(o, "channel") != NULL) {
		if (!get_integer(o, where, "channel", 0, INT16_MAX, -1, &channel, e))
			return false;
		s->channel = (int)channel;
	}
	return true;
}

static bool read_map(struct source_map *m, const struct nfart_proto *p, json_t *root,
		     struct nfart_error *e)
{
	json_t *sources = json_object_get(root, "sources"), *o;
	const char *id;

	if (!get_integer(root, "", "payload_width", 1, 128, 74, &m->payload_width, e) ||
	    !get_integer(root, "", "source_width", 1, SOURCE_BITS, 3, &m->source_width, e) ||
	    !get_integer(root, "", "timestamp_width", 1, 64, 51, &m->timestamp_width, e))
		return false;
	if (m->payload_width + m->source_width + m->timestamp_width > 128) {
		nfart_fail(e, NFART_INPUT, "the widths add up to more than 128 bits");
		return false;
	}
	if (!json_is_object(sources)) {
		nfart_fail(e, NFART_INPUT, "'sources' must be an object");
		return false;
	}
	json_object_foreach(sources, id, o)
		if (!read_source(m, p, id, o, e))
			return false;
	return true;
}

static void name_map(const struct nfart_reader_options *o, struct nfart_error *e)
{
	if (e != NULL)
		snprintf(e->file, sizeof e->file, "%s",
			 o->map_name != NULL ? o->map_name : "source map");
}

bool source_map_read(struct source_map *m, const struct nfart_proto *p,
		     const struct nfart_reader_options *o, struct nfart_error *e)
{
	json_error_t where;
	json_t *root =
		json_loads(o->map != NULL ? o->map : builtin, JSON_REJECT_DUPLICATES, &where);
	bool ok;

	memset(m, 0, sizeof *m);
	if (root == NULL) {
		nfart_fail(e, NFART_INPUT, "%s", where.text);
		if (e != NULL && where.line > 0) {
			e->line = (uint64_t)where.line;
			e->column = (uint64_t)(where.column > 0 ? where.column : 1);
		}
		name_map(o, e);
		return false;
	}
	ok = read_map(m, p, root, e);
	json_decref(root);
	if (!ok)
		name_map(o, e);
	return ok;
}

bool source_resolve(const struct nfart_proto *p, const struct source *s, int channel,
		    struct ring_row *row, char *what, size_t size)
{
	int slot = s->known ? proto_find_slot(p, s->group, channel) : -1;

	if (!s->known)
		snprintf(what, size, "a sample of a source that the map lacks");
	else if (slot < 0)
		snprintf(what, size, "protocol %s has no channel %d in group %s", p->name, channel,
			 p->names.groups[s->group]);
	else if (!trace_header_ok(p, row->header))
		snprintf(what, size, "0x%llx is no message's header",
			 (unsigned long long)row->header);
	else
		row->slot = (uint32_t)slot;
	return slot >= 0 && trace_header_ok(p, row->header);
}
