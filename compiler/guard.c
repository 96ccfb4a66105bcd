/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "compiler/guard.h"

/* A test that no header passes, before `not` is applied. */
static const struct header_test impossible = { .mask = 0, .lo = 1, .hi = 0 };

/* Where the field is in the header, or in its word of the payload. The value of an address is a
 * multiple of `unit`; that of any other field has unit 1. False: messages with the code lack the
 * field. */
static bool find_place(const struct nfart_proto *p, const struct ast_test *t, uint32_t code,
		       uint32_t *lsb, uint64_t *ones, uint32_t *shift)
{
	const struct proto_place *at;
	uint32_t field = t->field;

	if (field == PROTO_PAYLOAD) {
		*lsb = ast_payload_of(t).lsb;
		*ones = ast_payload_of(t).ones;
		*shift = 0;
		return true;
	}
	if (field == PROTO_ADDR) {
		*lsb = p->header.addr_lsb;
		*ones = ((uint64_t)1 << p->header.addr_bits) - 1;
		*shift = p->header.line_shift;
		return bits_get(p->codes.has_addr, code);
	}
	at = proto_field_place(p, field, code);
	if (at == NULL)
		return false;
	*lsb = at->lsb;
	*ones = ((uint64_t)1 << at->bits) - 1;
	*shift = 0;
	return true;
}

/* Values from first to last. */
static struct header_test interval(uint64_t first, uint64_t last, uint32_t lsb, uint64_t ones,
				   uint32_t shift)
{
	uint64_t below = ((uint64_t)1 << shift) - 1, lo = first >> shift, hi = last >> shift;

	/* A line lies in the interval if its first byte does. */
	if ((first & below) != 0)
		lo++;
	if (hi > ones)
		hi = ones;
	if (lo > hi)
		return impossible;
	return (struct header_test){ .mask = ones << lsb, .lo = lo << lsb, .hi = hi << lsb };
}

/* Values whose bits under `mask` are `value`. */
static struct header_test masked(uint64_t mask, uint64_t value, uint32_t lsb, uint64_t ones,
				 uint32_t shift)
{
	uint64_t has = mask >> shift & ones;

	/* The lowest bits of an address, and bits above a field, are 0 in every message. */
	if ((value & ~(has << shift)) != 0)
		return impossible;
	value = value >> shift << lsb;
	return (struct header_test){ .mask = has << lsb, .lo = value, .hi = value };
}

bool guard_test(const struct nfart_proto *p, const struct ast_test *t, uint32_t code,
		struct header_test *out)
{
	uint32_t lsb, shift;
	uint64_t ones, value = t->value.value;

	if (!find_place(p, t, code, &lsb, &ones, &shift))
		return false;
	switch (t->kind) {
	case AST_TEST_IS:
	case AST_TEST_IS_NOT:
		*out = interval(value, value, lsb, ones, shift);
		break;
	case AST_TEST_IN:
		*out = interval(value, t->last.value, lsb, ones, shift);
		break;
	case AST_TEST_MASK_IS:
	case AST_TEST_MASK_IS_NOT:
		*out = masked(t->mask.value, value, lsb, ones, shift);
		break;
	}
	if (t->field == PROTO_PAYLOAD)
		out->word = ast_payload_of(t).word;
	out->not = t->kind == AST_TEST_IS_NOT || t->kind == AST_TEST_MASK_IS_NOT;
	return true;
}
