/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Goes through all encodings of instructions with an operand in memory, and holds decode.c against
 * the operands that Zydis lists. An instruction is odd if it accesses more, or something else, than
 * the bytes at the address that ModRM gives. Each odd instruction must have its row in decode.c, and
 * each row there must be needed.
 */
#include "probes/memory/inside/decode.h"

#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "probes/memory/inside/inside.h"
#include "testsuite/unit/tap.h"

/* decode.c needs this function only if Zydis is missing. */
void inside_reason(const char *text)
{
	printf("# %s\n", text);
}

static ZydisDecoder decoder;
static __typeof__(ZydisDecoderDecodeFull) *decode_full;
static __typeof__(ZydisMnemonicGetString) *name_of;

enum { MNEMONICS = ZYDIS_MNEMONIC_MAX_VALUE + 1 };

struct found {
	unsigned instructions, odd, wrong;
	bool shape[MNEMONICS]; /* an odd instruction that has a row of its own */
};

static bool is_stack(const ZydisDecodedOperand *o)
{
	return o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && o->mem.base == ZYDIS_REGISTER_RSP;
}

/* The operands in memory, without those on the stack. */
static unsigned in_memory(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o,
			  const ZydisDecodedOperand *list[ZYDIS_MAX_OPERAND_COUNT])
{
	unsigned n = 0;
	for (unsigned k = 0; k < i->operand_count; k++)
		if (o[k].type == ZYDIS_OPERAND_TYPE_MEMORY && !is_stack(&o[k]) &&
		    o[k].mem.type != ZYDIS_MEMOP_TYPE_AGEN)
			list[n++] = &o[k];
	return n;
}

/* Categories whose instructions access nothing: hints, and what only moves lines of caches. */
static bool is_hint(const ZydisDecodedInstruction *i)
{
	const char *name = name_of(i->mnemonic);
	return i->meta.category == ZYDIS_CATEGORY_WIDENOP || i->meta.category == ZYDIS_CATEGORY_NOP ||
	       i->meta.category == ZYDIS_CATEGORY_PREFETCH || i->meta.category == ZYDIS_CATEGORY_MPX ||
	       strstr(name, "prefetch") != NULL || strstr(name, "pf0") != NULL ||
	       strstr(name, "pf1") != NULL || strncmp(name, "clflush", 7) == 0 ||
	       strcmp(name, "clwb") == 0 || strcmp(name, "cldemote") == 0;
}

/* The address moves with the value of a register that is no part of the address. */
static bool is_bit_string(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	return i->meta.category == ZYDIS_CATEGORY_BITBYTE && o[0].type == ZYDIS_OPERAND_TYPE_MEMORY &&
	       o[1].type == ZYDIS_OPERAND_TYPE_REGISTER && i->operand_count_visible == 2;
}

/* A vector register, or the register of operand k, says which bytes are accessed. */
static bool has_vector_mask(const ZydisDecodedInstruction *i)
{
	return strstr(name_of(i->mnemonic), "maskmov") != NULL;
}

static bool has_opmask(const ZydisDecodedInstruction *i)
{
	return i->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX &&
	       i->avx.mask.mode > ZYDIS_MASK_MODE_DISABLED && i->avx.mask.reg != ZYDIS_REGISTER_K0;
}

/* The shape that an instruction with one operand in memory must have. */
static enum decode_shape shape_of(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o,
				  const ZydisDecodedOperand *m)
{
	if (m->mem.type == ZYDIS_MEMOP_TYPE_VSIB)
		return DECODE_INDEXED;
	if (m->size == 0)
		return DECODE_UNKNOWN;
	/* 576 bytes are only the least that these instructions access. */
	if ((i->meta.category == ZYDIS_CATEGORY_XSAVE ||
	     i->meta.category == ZYDIS_CATEGORY_XSAVEOPT) &&
	    m->size == 576 * 8)
		return DECODE_STATE;
	if (is_bit_string(i, o))
		return DECODE_BIT;
	if (has_vector_mask(i))
		return i->operand_count_visible == 3 ? DECODE_MASKED : DECODE_CHOSEN;
	return has_opmask(i) ? DECODE_MASKED : DECODE_WHOLE;
}

static bool say(struct found *f, const ZydisDecodedInstruction *i, const char *what)
{
	if (f->wrong++ < 20)
		printf("# %s: %s\n", name_of(i->mnemonic), what);
	return false;
}

/* Whether decode.c describes one operand as Zydis lists it. */
static bool same_operand(struct found *f, const ZydisDecodedInstruction *i,
			 const ZydisDecodedOperand *m, const struct decode_operand *d)
{
	const bool loads = m->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	const bool stores = m->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	if (m->size / 8 != d->bytes && d->shape != DECODE_UNKNOWN)
		return say(f, i, "another size");
	if ((d->kind == MEM_SAVE || d->kind == MEM_BOTH) != stores)
		return say(f, i, "stores are missing, or too many");
	if (d->shape != DECODE_STATE && (d->kind != MEM_SAVE) != loads)
		return say(f, i, "loads are missing, or too many");
	if (m->mem.base != ZYDIS_REGISTER_NONE && d->base == REGISTER_NONE)
		return say(f, i, "the base is missing");
	return true;
}

static void check_mask(struct found *f, const ZydisDecodedInstruction *i, const struct decode *d,
		       const ZydisDecodedOperand *m)
{
	if (d->mask.lanes == 0 || d->mask.lanes > 64 || d->mask.element == 0 || d->mask.from == MASK_NONE)
		say(f, i, "a mask without lanes");
	else if (d->mask.kind == MEM_MASK_EACH && d->operand[0].shape == DECODE_MASKED &&
		 d->mask.lanes * d->mask.element * 8 != m->size)
		say(f, i, "lanes that do not cover the operand");
}

static void check_instruction(struct found *f, const uint8_t *bytes)
{
	ZydisDecodedInstruction i;
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
	const ZydisDecodedOperand *m[ZYDIS_MAX_OPERAND_COUNT];
	struct decode d;
	if (ZYAN_FAILED(decode_full(&decoder, bytes, DECODE_BYTES, &i, o)))
		return;
	const unsigned n = in_memory(&i, o, m);
	if (n == 0 || i.attributes & ZYDIS_ATTRIB_IS_PRIVILEGED)
		return;
	f->instructions++;
	if (!decode((uintptr_t)bytes, &d)) {
		say(f, &i, "is not decoded");
		return;
	}
	if (is_hint(&i)) {
		if (d.operands != 0)
			say(f, &i, "accesses nothing");
		return;
	}
	if (d.operands != n) {
		say(f, &i, "another number of operands");
		return;
	}
	for (unsigned k = 0; k < n; k++)
		if (!same_operand(f, &i, m[k], &d.operand[k]))
			return;
	const enum decode_shape shape = shape_of(&i, o, m[0]);
	const bool all_of_it = shape == DECODE_MASKED && d.operand[0].shape == DECODE_WHOLE &&
			       has_opmask(&i) && d.operand[0].kind == MEM_LOAD;
	if (shape != d.operand[0].shape && !all_of_it)
		say(f, &i, "another shape");
	/* Without a row of its own an instruction may have one address only, or be a string one. */
	const bool by_modrm = i.attributes & ZYDIS_ATTRIB_HAS_MODRM && i.raw.modrm.mod != 3;
	if ((n > 1 || !by_modrm || shape != DECODE_WHOLE) && !all_of_it) {
		f->odd++;
		f->shape[i.mnemonic] |= shape != DECODE_WHOLE &&
					(shape != DECODE_MASKED || !has_opmask(&i));
		if (d.form != FORM_STRING && d.form != FORM_OTHER && shape != DECODE_MASKED &&
		    shape != DECODE_STATE)
			say(f, &i, "could be replaced by a copy with one address");
	}
	if (d.operand[0].shape == DECODE_MASKED || d.operand[0].shape == DECODE_INDEXED)
		check_mask(f, &i, &d, m[0]);
}

/* Appends ModRM and SIB: [rbx+rdx], or a register, with all values of reg. */
static void with_modrm(struct found *f, uint8_t *bytes, size_t n)
{
	for (unsigned reg = 0; reg < 8; reg++) {
		bytes[n] = (uint8_t)(reg << 3 | 4);
		bytes[n + 1] = 0x13;
		check_instruction(f, bytes);
		bytes[n] = (uint8_t)(0xc1 | reg << 3);
		check_instruction(f, bytes);
	}
}

static void legacy(struct found *f)
{
	static const uint8_t prefixes[] = { 0, 0x66, 0xf2, 0xf3 };
	for (unsigned x = 0; x < 4 * 4 * 2 * 256; x++) {
		uint8_t bytes[32] = { 0 };
		const unsigned map = x >> 11, prefix = x >> 9 & 3, wide = x >> 8 & 1;
		size_t n = 0;
		if (prefixes[prefix])
			bytes[n++] = prefixes[prefix];
		if (wide)
			bytes[n++] = 0x48;
		if (map)
			bytes[n++] = 0x0f;
		if (map > 1)
			bytes[n++] = map == 2 ? 0x38 : 0x3a;
		bytes[n++] = (uint8_t)x;
		with_modrm(f, bytes, n);
	}
}

/* VEX and XOP. */
static void vex(struct found *f)
{
	for (unsigned x = 0; x < 11U << 13; x++) {
		uint8_t bytes[32] = { 0 };
		const unsigned map = x >> 13, wide = x >> 12 & 1, second = x >> 11 & 1;
		bytes[0] = map >= 8 ? 0x8f : 0xc4;
		bytes[1] = (uint8_t)(0xe0 | map);
		bytes[2] = (uint8_t)(wide << 7 | (second ? 0x78 : 0x60) | (x >> 8 & 7));
		bytes[3] = (uint8_t)x;
		with_modrm(f, bytes, 4);
	}
}

static void evex(struct found *f)
{
	for (unsigned x = 0; x < 7U << 16; x++) {
		uint8_t bytes[32] = { 0x62 };
		const unsigned map = 1 + (x >> 16), mask = x >> 14 & 3, length = x >> 12 & 3;
		bytes[1] = (uint8_t)(0xf0 | map);
		bytes[2] = (uint8_t)((x >> 10 & 1) << 7 | 0x78 | 4 | (x >> 8 & 3));
		for (unsigned second = 0; second < 2 && length < 3; second++) {
			bytes[2] = (uint8_t)(bytes[2] & ~0x18U);
			bytes[2] |= second ? 0x18 : 0;
			/* z in bit 7, the length, a broadcast, no V', a mask register or none */
			bytes[3] = (uint8_t)((mask == 3 ? 0x80U : 0) | length << 5 | (x >> 11 & 1) << 4 | 8 |
					     (mask ? 2U : 0));
			bytes[4] = (uint8_t)x;
			with_modrm(f, bytes, 5);
		}
	}
}

/* Each row of decode.c is needed: some instruction has it. */
static bool all_met(const struct found *f, unsigned *n)
{
	static const char *const rows[] = {
		"vpgatherdd", "vpgatherdq", "vpgatherqd", "vpgatherqq", "vgatherdps",
		"vgatherdpd", "vgatherqps", "vgatherqpd", "vpscatterdd", "vpscatterdq",
		"vpscatterqd", "vpscatterqq", "vscatterdps", "vscatterdpd", "vscatterqps",
		"vscatterqpd", "maskmovq", "maskmovdqu", "vmaskmovdqu",
		"vmaskmovps", "vmaskmovpd", "vpmaskmovd", "vpmaskmovq", "xsave", "xsave64",
		"xsaveopt", "xsaveopt64", "xsavec", "xsavec64", "xrstor", "xrstor64", "bt", "bts",
		"btr", "btc", "tileloadd", "tileloaddt1", "tilestored"
	};
	*n = 0;
	for (unsigned k = 0; k < MNEMONICS; k++) {
		bool known = false;
		for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++)
			known |= strcmp(rows[r], name_of((ZydisMnemonic)k)) == 0;
		if (known != f->shape[k]) {
			printf("# %s\n", name_of((ZydisMnemonic)k));
			return false;
		}
		*n += known;
	}
	return *n == sizeof rows / sizeof *rows;
}

int main(void)
{
	static struct found f;
	struct tap t = { 0, 0 };
	unsigned rows;
	void *library = dlopen("libZydis.so.4.0", RTLD_NOW);
	__typeof__(ZydisDecoderInit) *init = library ? dlsym(library, "ZydisDecoderInit") : NULL;

	if (!init || !decode_start())
		return 1;
	decode_full = dlsym(library, "ZydisDecoderDecodeFull");
	name_of = dlsym(library, "ZydisMnemonicGetString");
	init(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	legacy(&f);
	vex(&f);
	evex(&f);
	printf("# %u encodings with operands in memory, %u odd ones, %u wrong\n", f.instructions,
	       f.odd, f.wrong);
	tap_case(&t, f.instructions > 50000 && f.odd > 1000, "instructions were found");
	tap_case(&t, f.wrong == 0, "each operand is described");
	tap_case(&t, all_met(&f, &rows), "the odd instructions are those of the table");
	return tap_end(&t);
}
