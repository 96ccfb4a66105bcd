/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/stacks/rv_decode.h"

/* Returns the bits high..low of x, shifted to position `to`. */
static uint32_t field(uint32_t x, unsigned high, unsigned low, unsigned to)
{
	return ((x >> low) & ((2u << (high - low)) - 1)) << to;
}

/* Extends the sign of x. Its sign is in bit `bit`. */
static int32_t extend(uint32_t x, unsigned bit)
{
	uint32_t sign = 1u << bit;

	return (int32_t)((x ^ sign) - sign);
}

static bool links(uint32_t r)
{
	return r == 1 || r == 5;
}

static struct rv_flow flow(enum rv_class class)
{
	return (struct rv_flow){ .class = class };
}

static struct rv_flow indirect(uint32_t rd, uint32_t rs)
{
	if (links(rd))
		return flow(links(rs) && rs != rd ? RV_SWAP : RV_CALL_TO);
	return flow(links(rs) ? RV_RETURN : RV_JUMP_TO);
}

static struct rv_flow direct(uint32_t rd, int32_t distance)
{
	return (struct rv_flow){ links(rd) ? RV_CALL : RV_JUMP, distance, false };
}

static struct rv_flow branch(int32_t distance)
{
	return (struct rv_flow){ RV_JUMP, distance, true };
}

static struct rv_flow decode_short(uint32_t x)
{
	uint32_t op = x & 3, kind = field(x, 15, 13, 0), rs = field(x, 11, 7, 0);

	if (op == 1 && kind == 5)
		return direct(0, extend(field(x, 12, 12, 11) | field(x, 11, 11, 4) |
					field(x, 10, 9, 8) | field(x, 8, 8, 10) |
					field(x, 7, 7, 6) | field(x, 6, 6, 7) |
					field(x, 5, 3, 1) | field(x, 2, 2, 5), 11));
	if (op == 1 && kind >= 6)
		return branch(extend(field(x, 12, 12, 8) | field(x, 11, 10, 3) |
				     field(x, 6, 5, 6) | field(x, 4, 3, 1) | field(x, 2, 2, 5), 8));
	if (op != 2 || kind != 4 || field(x, 6, 2, 0) != 0)
		return flow(RV_PLAIN);
	if (rs == 0)
		return flow(x == 0x9002 ? RV_TRAP : RV_PLAIN);
	return indirect(field(x, 12, 12, 0), rs);
}

struct rv_flow rv_decode(uint32_t x)
{
	if ((x & 3) != 3)
		return decode_short(x);
	switch (x & 127) {
	case 0x63:
		return branch(extend(field(x, 31, 31, 12) | field(x, 30, 25, 5) |
				     field(x, 11, 8, 1) | field(x, 7, 7, 11), 12));
	case 0x6f:
		return direct(field(x, 11, 7, 0), extend(field(x, 31, 31, 20) |
							 field(x, 30, 21, 1) |
							 field(x, 20, 20, 11) |
							 field(x, 19, 12, 12), 20));
	case 0x67:
		return indirect(field(x, 11, 7, 0), field(x, 19, 15, 0));
	case 0x73:
		if (x == 0x00000073 || x == 0x00100073)
			return flow(RV_TRAP);
		return flow(x == 0x10200073 || x == 0x30200073 ? RV_TRAP_RETURN : RV_PLAIN);
	default:
		return flow(RV_PLAIN);
	}
}
