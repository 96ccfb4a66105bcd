/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/locals.h"

#include <sys/ucontext.h>

#include "probes/memory/inside/copy.h"
#include "probes/memory/inside/engines.h"
#include "probes/memory/inside/modules.h"
#include "probes/memory/inside/pages.h"
#include "probes/memory/inside/roots.h"
#include "probes/memory/inside/stacks.h"

enum { RSP = 4, RBP = 5, R10 = 10, WORD = 8, FRAME = 2 * WORD };
/* TOP_MOST: the outermost caller is nearer to where the thread began. */
enum { CODE_MOST = 1 << 16, TAKEN_MOST = 256, RED_ZONE = 128, TOP_MOST = 64 };
/* The kernel keeps so much room below the stack of the first thread. */
#define FIRST_STACK ((uintptr_t)8 << 20)

/* Where the instructions of the modules are, and the top of the first thread's stack. */
static uintptr_t low[MEM_CODE_MODULES], high[MEM_CODE_MODULES], first_top;
static unsigned modules;

/* ---- functions ---- */

/* What is found out about a function, and its instructions that are to be replaced. */
static struct {
	uint32_t at[CODE_MOST]; /* distances from the beginning */
	uint32_t n;
	bool known, calls;
	uint64_t words[3 + TAKEN_MOST];
	uint32_t taken;
} function;

static bool is_code(const struct decode *d, const char *bytes, size_t n)
{
	return d->length == n && raw_same((const char *)d->bytes, bytes, n);
}

/* Whether an instruction uses the frame pointer only to set up the frame, or to leave it. */
static bool keeps_frame(const struct decode *d)
{
	return is_code(d, "\x55", 1) || is_code(d, "\x5d", 1) || is_code(d, "\xc9", 1) ||
	       is_code(d, "\x48\x89\xe5", 3);
}

/* Whether it only moves the stack pointer: push, pop, add or sub of a number, call, ret. */
static bool moves_stack(const struct decode *d)
{
	const uint8_t *b = d->bytes + ((d->bytes[0] & 0xf0) == 0x40);
	const bool number = b[0] == 0x81 || b[0] == 0x83;
	return (number && (b[1] == 0xec || b[1] == 0xc4)) || (b[0] & 0xf0) == 0x50 ||
	       b[0] == 0xe8 || b[0] == 0xff || b[0] == 0xc3 || b[0] == 0x6a || b[0] == 0x68 ||
	       b[0] == 0xf2 || b[0] == 0xf3;
}

/*
 * Takes an instruction that loads an address (lea): of a place in the frame, if it is by the frame
 * pointer. In other ways the function may make a pointer to any place, so it is not known. r10 holds
 * the frame of a function around a nested one.
 */
static void take_address(const struct decode *d)
{
	const uint8_t rex = (d->bytes[0] & 0xf0) == 0x40 ? d->bytes[0] : 0;
	const uint8_t *b = d->bytes + (rex != 0) + 1;
	const unsigned mod = b[0] >> 6, rm = b[0] & 7, reg = (b[0] >> 3 & 7) | (rex & 4) << 1;
	const unsigned base = (rm == 4 ? b[1] & 7 : rm) | (rex & 1) << 3;
	const unsigned index = rm == 4 ? (b[1] >> 3 & 7) | (rex & 2) << 2 : RSP;
	const bool relative = mod == 0 && (rm == 4 ? (b[1] & 7) == RBP : rm == RBP);
	int32_t away = 0;
	b += rm == 4 ? 2 : 1;
	if (mod == 1)
		away = (int8_t)b[0];
	else if (mod == 2)
		raw_copy(&away, b, sizeof away);
	function.known &= index != RBP && (base != RSP || relative);
	if (base != RBP || relative)
		return;
	function.known &= reg != R10 && rex & 8 && function.taken < TAKEN_MOST;
	if (function.known)
		function.words[3 + function.taken++] = (uint64_t)(int64_t)(away - FRAME);
}

static void look_at(const struct decode *d)
{
	const uint8_t *b = d->bytes + ((d->bytes[0] & 0xf0) == 0x40);
	const bool lea = b[0] == 0x8d;
	function.calls |= b[0] == 0xe8 || (b[0] == 0xff && (b[1] >> 3 & 7) == 2);
	if (lea)
		take_address(d);
	else if (d->used >> RBP & 1)
		function.known &= keeps_frame(d);
	else if (d->used >> RSP & 1)
		function.known &= moves_stack(d);
	/* push of rsp; a prefix that may be that of a lea */
	function.known &= b[0] != 0x54 && b[0] != 0x67;
}

/* Whether a function begins by setting up a frame pointer. */
static bool sets_frame(uintptr_t from, size_t bytes)
{
	static const char entry[] = "\xf3\x0f\x1e\xfa", begin[] = "\x55\x48\x89\xe5";
	const char *code = (const char *)from;
	if (bytes > 8 && raw_same(code, entry, 4))
		code += 4;
	return bytes > 4 && raw_same(code, begin, 4);
}

/* Replaces the instructions that were found. The last one comes first (engine_patch.c). */
static void replace(uintptr_t from)
{
	decode_forget();
	while (function.n > 0) {
		struct site *s = sites_make(from + function.at[--function.n]);
		if (s)
			engine_patch_one(s);
	}
}

static bool is_wanted(uintptr_t pc, const struct decode *d, unsigned operand)
{
	const struct decode_operand *o = &d->operand[operand];
	bool in = false;
	if (operand >= d->operands || (d->form != FORM_PLAIN && d->form != FORM_STRING) ||
	    o->shape != DECODE_WHOLE || o->segment || o->base == REGISTER_RIP ||
	    ((o->base == RSP || o->base == RBP) && o->index >= 16) || !copy_can_have_head(d))
		return false;
	for (unsigned i = 0; i < modules && !in; i++)
		in = pc - low[i] < high[i] - low[i];
	return in;
}

static void take_function(void *with, uintptr_t from, size_t bytes)
{
	struct decode d;
	(void)with;
	function.n = function.taken = 0;
	function.known = sets_frame(from, bytes);
	function.calls = false;
	for (size_t i = 0; i < bytes; i += d.length) {
		if (function.n == CODE_MOST || bytes > UINT32_MAX || !decode(from + i, &d)) {
			function.known = false;
			function.calls = false;
			break;
		}
		look_at(&d);
		if (is_wanted(from + i, &d, 0) || is_wanted(from + i, &d, 1))
			function.at[function.n++] = (uint32_t)i;
	}
	function.words[0] = from;
	function.words[1] = from + bytes;
	function.words[2] = (function.calls ? MEM_FUNCTION_CALLS : 0U) |
			    (function.known ? MEM_FUNCTION_KNOWN : 0U);
	inside_enter();
	ring_event(MEM_FUNCTION, function.words, 3 + (function.known ? function.taken : 0));
	inside_leave();
	replace(from);
}

void locals_start(uintptr_t top)
{
	const struct mem_code *c = &inside.channel->code;
	first_top = inside_self.top = top;
	modules = c->modules < MEM_CODE_MODULES ? c->modules : MEM_CODE_MODULES;
	for (unsigned i = 0; i < modules; i++) {
		low[i] = c->module[i];
		high[i] = modules_high(low[i]);
	}
	lock_take(&sites_lock);
	pages_begin();
	for (unsigned i = 0; i < modules; i++)
		modules_functions(low[i], take_function, NULL);
	pages_end();
	lock_give(&sites_lock);
}

bool locals_wants(const struct site *s, unsigned operand)
{
	return inside.locals && is_wanted(s->pc, &s->d, operand);
}

/* ---- accesses ---- */

/*
 * Whether an address below the stack pointer is in the same stack. Not if the thread has gone from
 * it to another one that lies in it, as in an array: then the outermost caller is not at the top.
 */
static bool is_below(const struct inside_caller *c, bool returned, uintptr_t at)
{
	const uintptr_t top = inside_self.top;
	uintptr_t from = first_top - FIRST_STACK, to;
	if (top != first_top && !roots_stack_of(c->sp, &from, &to))
		return false;
	return at >= from && at < c->sp && top - stacks_outermost(c, returned) < TOP_MOST;
}

static void record(const struct inside_caller *c, bool returned, const uint64_t words[6])
{
	const uintptr_t from = words[5];
	const bool red = !returned && from < c->sp && c->sp - from <= RED_ZONE;
	struct stacks_frame f = { 0 };
	if (!inside_watching())
		return;
	inside_enter();
	const bool framed = (from >= c->sp || red) &&
			    stacks_frame(c, returned, red ? c->sp : from, &f);
	const bool below = from < c->sp && is_below(c, returned, from);
	if (framed || below) {
		const uint64_t all[] = { words[0], words[1], words[2], words[3], words[4],
					 from,     c->sp,    f.pc,     f.cfa };
		ring_event(MEM_LOCAL, all, sizeof all / sizeof *all);
	}
	inside_leave();
}

void locals_site(struct site *s, unsigned operand, const ucontext_t *context)
{
	const struct decode_operand *o = &s->d.operand[operand];
	const greg_t *r = context->uc_mcontext.gregs;
	const struct inside_caller c = { s->pc, (uintptr_t)r[REG_RSP], (uintptr_t)r[REG_RBP] };
	const uintptr_t at = *decode_register((ucontext_t *)context, copy_register(s, operand));
	const bool indexed = s->d.form == FORM_PLAIN && o->base == RBP;
	const uintptr_t from = indexed ? c.bp + (uint64_t)o->displacement : at;
	const uint64_t words[6] = { s->pc,   at, o->bytes,
				    o->kind, indexed ? MEM_LOCAL_INDEX : MEM_LOCAL_POINTER, from };
	stacks_instruction(s->pc, context);
	record(&c, false, words);
}

void locals_record_range(uintptr_t at, size_t bytes, enum mem_event kind)
{
	const struct inside_caller *c = &inside_self.caller;
	const uint64_t words[6] = { c->pc, at, bytes, kind, MEM_LOCAL_CALL, at };
	if (bytes && at - c->sp + LOCALS_NEAR < 2 * (uintptr_t)LOCALS_NEAR) {
		stacks_call();
		record(c, true, words);
	}
}
