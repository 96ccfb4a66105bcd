/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The kernel saves vector registers in the standard form of xsave (Intel SDM, volume 1, 13.4):
 *
 *     0      fxsave: xmm0-15 from byte 160, the x87 registers from byte 32
 *     512    header: a bit for each component; if it is 0, the registers are all zero
 *     ...    upper halves of ymm0-15, k0-7, upper halves of zmm0-15, zmm16-31: at the offsets that
 *            cpuid tells
 */
#include "probes/memory/inside/elements.h"

#include <cpuid.h>
#include <sys/ucontext.h>

#include "probes/memory/inside/calls.h"
#include "probes/memory/inside/raw.h"

enum { LEGACY = 512, HEADER = 64, X87_AT = 32, XMM_AT = 160, MARK_AT = 464, COMPONENTS = 63 };
enum { MARK = 0x46505853 }; /* FP_XSTATE_MAGIC1: there is more than fxsave saves */
enum { X87 = 0, SSE = 1, UPPER_YMM = 2, OPMASKS = 5, UPPER_ZMM = 6, HIGH_ZMM = 7 };

struct component {
	uint32_t at, bytes;
	bool aligned; /* in the compact form it begins at a multiple of 64 */
};

/* cpuid may be slow in a virtual machine, so each answer is kept. */
static struct component component(unsigned number)
{
	static struct component known[COMPONENTS];
	static bool asked[COMPONENTS];
	if (!asked[number]) {
		unsigned a, b, c, d;
		asked[number] = true;
		if (__get_cpuid_count(13, number, &a, &b, &c, &d))
			known[number] = (struct component){ b, a, c & 2 };
	}
	return known[number];
}

/* Where a component is saved. NULL: it is not saved, because its registers are zero. */
static const char *saved(const ucontext_t *context, unsigned number)
{
	const char *area = (const char *)context->uc_mcontext.fpregs;
	uint32_t mark;
	uint64_t has;
	if (!area)
		return NULL;
	raw_copy(&mark, area + MARK_AT, sizeof mark);
	raw_copy(&has, area + LEGACY, sizeof has);
	if (number <= SSE)
		return mark != MARK || has >> number & 1 ? area : NULL;
	return mark == MARK && has >> number & 1 ? area + component(number).at : NULL;
}

/* Copies the first 64 bytes of a vector register. */
static void read_vector(const ucontext_t *context, unsigned number, uint8_t bytes[64])
{
	raw_fill(bytes, 0, 64);
	const char *high = saved(context, HIGH_ZMM), *low = saved(context, SSE);
	const char *ymm = saved(context, UPPER_YMM), *zmm = saved(context, UPPER_ZMM);
	if (number >= 16) {
		if (high && number < 32)
			raw_copy(bytes, high + (size_t)64 * (number - 16), 64);
		return;
	}
	if (low)
		raw_copy(bytes, low + XMM_AT + (size_t)16 * number, 16);
	if (ymm)
		raw_copy(bytes + 16, ymm + (size_t)16 * number, 16);
	if (zmm)
		raw_copy(bytes + 32, zmm + (size_t)32 * number, 32);
}

/* A bit for each lane of `bytes` bytes: the top bit of that lane. */
static uint64_t signs(const uint8_t *vector, unsigned lanes, unsigned bytes)
{
	uint64_t mask = 0;
	for (unsigned i = 0; i < lanes; i++)
		mask |= (uint64_t)(vector[(i + 1) * bytes - 1] >> 7) << i;
	return mask;
}

uint64_t elements_mask(const struct decode *d, const ucontext_t *context)
{
	uint8_t vector[64];
	uint64_t mask = 0;
	if (d->mask.from == MASK_OPMASK) {
		const char *masks = saved(context, OPMASKS);
		if (masks)
			raw_copy(&mask, masks + (size_t)8 * d->mask.number, sizeof mask);
		return mask;
	}
	read_vector(context, d->mask.number, vector);
	return signs(vector, d->mask.lanes, d->mask.element);
}

/* ---- the elements of each shape ---- */

static unsigned gathered(const struct decode *d, uintptr_t base, const ucontext_t *context,
			 struct element *list)
{
	const uint64_t mask = elements_mask(d, context);
	uint8_t vector[64];
	unsigned n = 0;
	read_vector(context, d->mask.index, vector);
	for (unsigned i = 0; i < d->mask.lanes; i++) {
		int64_t index = 0;
		if (!(mask >> i & 1))
			continue;
		raw_copy(&index, vector + (size_t)i * d->mask.index_bytes, d->mask.index_bytes);
		if (d->mask.index_bytes == 4)
			index = (int32_t)index;
		uintptr_t at = base + (uint64_t)index * d->operand[0].scale;
		if (d->is.short_address)
			at = (uint32_t)at;
		list[n++] = (struct element){ at, d->mask.element };
	}
	return n;
}

static unsigned runs_of(struct mem_lanes lanes, uint32_t bytes, uint64_t mask, uintptr_t base,
			struct element *list)
{
	uint32_t lane = 0, offset, size;
	unsigned n = 0;
	while (n < ELEMENTS_MAX && (size = mem_run(lanes, bytes, mask, &lane, &offset)) != 0)
		list[n++] = (struct element){ base + offset, size };
	return n;
}

static unsigned chosen(const struct decode *d, uintptr_t base, const ucontext_t *context,
		       struct element *list)
{
	const struct mem_lanes lanes = { MEM_MASK_EACH, 1, (uint8_t)d->operand[0].bytes };
	uint8_t vector[64];
	read_vector(context, d->mask.number, vector);
	if (lanes.count == 8) {
		const char *x87 = saved(context, X87);
		raw_fill(vector, 0, sizeof vector);
		if (x87)
			raw_copy(vector, x87 + X87_AT + (size_t)16 * d->mask.number, 8);
	}
	return runs_of(lanes, lanes.count, signs(vector, lanes.count, 1), base, list);
}

static uint64_t enabled_state(void)
{
	uint32_t low, high;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

/* Whether xrstor reads, or xsavec writes, the compact form. */
static bool is_compact(const struct decode *d, uintptr_t base)
{
	/* xsavec is 0f c7 /4; the other instructions are 0f ae. */
	if (d->bytes[d->modrm - 1] == 0xc7)
		return true;
	if (d->operand[0].kind != MEM_LOAD)
		return false;
	uint64_t form;
	return calls_read(&form, base + LEGACY + 8, sizeof form) && form >> 63;
}

static unsigned state(const struct decode *d, uintptr_t base, const ucontext_t *context,
		      struct element *list)
{
	const uint64_t low = (uint32_t)context->uc_mcontext.gregs[REG_RAX];
	const uint64_t high = (uint32_t)context->uc_mcontext.gregs[REG_RDX];
	const uint64_t wanted = (high << 32 | low) & enabled_state();
	const bool compact = is_compact(d, base);
	uint32_t next = LEGACY + HEADER;
	unsigned n = 0;
	/* The x87 and SSE parts are mixed, so they count as one; then the header. */
	if (wanted & 3)
		list[n++] = (struct element){ base, LEGACY };
	list[n++] = (struct element){ base + LEGACY, HEADER };
	for (unsigned i = UPPER_YMM; i < COMPONENTS && n < ELEMENTS_MAX; i++) {
		if (!(wanted >> i & 1))
			continue;
		const struct component c = component(i);
		if (compact && c.aligned)
			next = (next + 63) & ~63U;
		list[n++] = (struct element){ base + (compact ? next : c.at), c.bytes };
		next += c.bytes;
	}
	return n;
}

unsigned elements_of(const struct decode *d, uintptr_t pc, const ucontext_t *context,
		     struct element list[ELEMENTS_MAX])
{
	const uintptr_t base = decode_address(d, 0, pc, context);
	const struct mem_lanes lanes = { d->mask.kind, d->mask.element, d->mask.lanes };
	switch (d->operand[0].shape) {
	case DECODE_MASKED:
		return runs_of(lanes, d->operand[0].bytes, elements_mask(d, context), base, list);
	case DECODE_INDEXED:
		return gathered(d, base, context, list);
	case DECODE_CHOSEN:
		return chosen(d, base, context, list);
	case DECODE_STATE:
		return state(d, base, context, list);
	case DECODE_UNKNOWN:
		return 0;
	default:
		list[0] = (struct element){ base, d->operand[0].bytes };
		return 1;
	}
}
