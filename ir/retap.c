/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "ir/retap.h"

#include <string.h>

struct retap {
	struct spec *s;
	const struct nfart_proto *from, *to;
	struct pred_table made;
	int slot[PROTO_SLOTS];  /* [slots of `from`]: the same slot in `to`, or -1 */
	struct diag_range *where;
	uint32_t *missing;
};

static bool same_fields(const struct nfart_proto *a, const struct nfart_proto *b)
{
	return a->header.bits == b->header.bits && a->header.op_lsb == b->header.op_lsb &&
	       a->header.op_bits == b->header.op_bits && a->header.idle == b->header.idle &&
	       a->header.addr_lsb == b->header.addr_lsb &&
	       a->header.addr_bits == b->header.addr_bits &&
	       a->header.line_shift == b->header.line_shift;
}

static void match_slots(struct retap *r)
{
	for (uint32_t i = 0; i < r->from->nslots; i++) {
		const char *group = r->from->names.groups[r->from->slots[i].group];
		int g = proto_find_group(r->to, group, strlen(group));
		r->slot[i] =
			g < 0 ? -1 : proto_find_slot(r->to, (uint32_t)g, r->from->slots[i].channel);
	}
}

static enum nfart_status convert(struct retap *r, pred_id_t *id, struct diag_range range)
{
	uint64_t ops[(PROTO_SLOTS << PROTO_OP_BITS) / 64] = { 0 };
	const struct pred *p = &r->s->preds.preds.at[*id];
	uint32_t bits = r->from->header.op_bits;

	for (uint32_t c = 0; c < r->from->codes.n; c++) {
		if (!bits_get(p->letters, c))
			continue;
		if (r->slot[c >> bits] < 0) {
			*r->where = range;
			*r->missing = c >> bits;
			return NFART_NOFIT;
		}
		bits_set(ops, (uint32_t)r->slot[c >> bits] << bits | (c & ((1u << bits) - 1)));
	}
	*id = pred_intern(&r->made, p->none, ops);
	return *id == PRED_NONE ? NFART_SYSTEM : NFART_OK;
}

static enum nfart_status convert_all(struct retap *r)
{
	enum nfart_status status = NFART_OK;

	for (size_t i = 0; i < r->s->nodes.n && status == NFART_OK; i++) {
		struct rx *x = &r->s->nodes.at[i];
		if (x->kind == RX_PRED)
			status = convert(r, &x->pred, x->range);
	}
	for (size_t m = 0; m < r->s->automata.n; m++)
		for (size_t i = 0; i < r->s->automata.at[m].edges.n && status == NFART_OK; i++) {
			struct spec_edge *e = &r->s->automata.at[m].edges.at[i];
			if (e->pred != PRED_EPS)
				status = convert(r, &e->pred, e->range);
		}
	return status;
}

enum nfart_status spec_retap(struct spec *s, const struct nfart_proto *tap,
			     struct diag_range *where, uint32_t *slot)
{
	struct retap r = { .s = s, .from = s->proto, .to = tap, .where = where, .missing = slot };
	enum nfart_status status;

	*where = (struct diag_range){ DIAG_NO_SOURCE, 0, 0 };
	*slot = UINT32_MAX;
	if (!same_fields(s->proto, tap))
		return NFART_NOFIT;
	if (!pred_table_init_codes(
		    &r.made, tap,
		    (struct pred_view){ s->substreams.by_line, s->substreams.field, NULL }))
		return NFART_SYSTEM;
	match_slots(&r);
	status = convert_all(&r);
	if (status != NFART_OK) {
		pred_table_free(&r.made);
		return status;
	}
	pred_table_free(&s->preds);
	s->preds = r.made;
	s->proto = tap;
	s->guards.guarded.n = 0; /* they are about the codes of the protocol before */
	return NFART_OK;
}
