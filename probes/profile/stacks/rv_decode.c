/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rv_decode.h"

/* Returns the bits high..low of x, shifted to position `to`. */
static uint32_t code_field(uint32_t x, unsigned high, unsigned low, unsigned to)
{
	return ((x >> low) & ((2u << (high - low)) - 1)) << to;
}

/* Extends the sign of x. Its sign is in bit `bit`. */
static int32_t extend_sign(uint32_t x, unsigned bit)
{
	uint32_t sign = 1u << bit;

	return (int32_t)((x ^ sign) - sign);
}

static bool is_link_register(uint32_t r)
{
	return r == 1 || r == 5;
}

static struct rv_flow flow(enum rv_class class)
{
	return (struct rv_flow){ .class = class };
}

static struct rv_flow indirect(uint32_t rd, uint32_t rs)
{
	if (is_link_register(rd))
		return flow(is_link_register(rs) && rs != rd ? RV_SWAP : RV_CALL_TO);
	return flow(is_link_register(rs) ? RV_RETURN : RV_JUMP_TO);
}

static struct rv_flow direct(uint32_t rd, int32_t distance)
{
	return (struct rv_flow){ is_link_register(rd) ? RV_CALL : RV_JUMP, distance, false };
}

static struct rv_flow branch(int32_t distance)
{
	return (struct rv_flow){ RV_JUMP, distance, true };
}

static struct rv_flow decode_short(uint32_t x)
{
	uint32_t op = x & 3, kind = code_field(x, 15, 13, 0), rs = code_field(x, 11, 7, 0);

	if (op == 1 && kind == 5)
		return direct(
			0, extend_sign(code_field(x, 12, 12, 11) | code_field(x, 11, 11, 4) |
					       code_field(x, 10, 9, 8) | code_field(x, 8, 8, 10) |
					       code_field(x, 7, 7, 6) | code_field(x, 6, 6, 7) |
					       code_field(x, 5, 3, 1) | code_field(x, 2, 2, 5),
				       11));
	if (op == 1 && kind >= 6)
		return branch(extend_sign(code_field(x, 12, 12, 8) | code_field(x, 11, 10, 3) |
						  code_field(x, 6, 5, 6) | code_field(x, 4, 3, 1) |
						  code_field(x, 2, 2, 5),
					  8));
	if (op != 2 || kind != 4 || code_field(x, 6, 2, 0) != 0)
		return flow(RV_PLAIN);
	if (rs == 0)
		return flow(x == 0x9002 ? RV_TRAP : RV_PLAIN);
	return indirect(code_field(x, 12, 12, 0), rs);
}

struct rv_flow rv_decode(uint32_t x)
{
	if ((x & 3) != 3)
		return decode_short(x);
	switch (x & 127) {
	case 0x63:
		return branch(extend_sign(code_field(x, 31, 31, 12) | code_field(x, 30, 25, 5) |
						  code_field(x, 11, 8, 1) | code_field(x, 7, 7, 11),
					  12));
	case 0x6f:
		return direct(code_field(x, 11, 7, 0),
			      extend_sign(code_field(x, 31, 31, 20) | code_field(x, 30, 21, 1) |
						  code_field(x, 20, 20, 11) |
						  code_field(x, 19, 12, 12),
					  20));
	case 0x67:
		return indirect(code_field(x, 11, 7, 0), code_field(x, 19, 15, 0));
	case 0x73:
		if (x == 0x00000073 || x == 0x00100073)
			return flow(RV_TRAP);
		return flow(x == 0x10200073 || x == 0x30200073 ? RV_TRAP_RETURN : RV_PLAIN);
	default:
		return flow(RV_PLAIN);
	}
}
