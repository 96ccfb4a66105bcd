/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/decode.h"

#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/raw.h"

#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <sys/ucontext.h>

#define LIBRARY "libZydis.so.4.0"

static void *library;
static ZydisDecoder decoder;
static __typeof__(ZydisDecoderDecodeFull) *decode_full;
static __typeof__(ZydisRegisterGetLargestEnclosing) *largest;

bool decode_start(void)
{
	library = dlmopen(LM_ID_NEWLM, LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		inside_reason("the decoder of instructions, " LIBRARY ", can't be loaded");
		return false;
	}
	__typeof__(ZydisDecoderInit) *init = dlsym(library, "ZydisDecoderInit");
	decode_full = dlsym(library, "ZydisDecoderDecodeFull");
	largest = dlsym(library, "ZydisRegisterGetLargestEnclosing");
	if (!init || !decode_full || !largest ||
	    ZYAN_FAILED(init(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64))) {
		inside_reason("the decoder of instructions, " LIBRARY ", has another version");
		return false;
	}
	return true;
}

void decode_end(void)
{
	if (library)
		dlclose(library);
	library = NULL;
}

/* The number of the general register that a register is, or is a part of. */
static uint8_t general(ZydisRegister r)
{
	if (r == ZYDIS_REGISTER_NONE)
		return REGISTER_NONE;
	if (r == ZYDIS_REGISTER_RIP || r == ZYDIS_REGISTER_EIP)
		return REGISTER_RIP;
	ZydisRegister whole = largest(ZYDIS_MACHINE_MODE_LONG_64, r);
	if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15)
		return REGISTER_NONE;
	return (uint8_t)(whole - ZYDIS_REGISTER_RAX);
}

static enum mem_kind kind_of(const ZydisDecodedOperand *o)
{
	bool load = o->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
	bool store = o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	return load && store ? MEM_BOTH : store ? MEM_SAVE : MEM_LOAD;
}

/*
 * Instructions whose operand in memory is not the bytes at the address of ModRM. `bytes` is the size
 * of an index. tests/operands.c holds this table against the operands that Zydis knows.
 */
static const struct decode_special {
	ZydisMnemonic mnemonic;
	uint8_t shape, bytes;
} specials[] = {
	{ ZYDIS_MNEMONIC_VPGATHERDD, DECODE_INDEXED, 4 },
	{ ZYDIS_MNEMONIC_VPGATHERDQ, DECODE_INDEXED, 4 },
	{ ZYDIS_MNEMONIC_VPGATHERQD, DECODE_INDEXED, 8 },
	{ ZYDIS_MNEMONIC_VPGATHERQQ, DECODE_INDEXED, 8 },
	{ ZYDIS_MNEMONIC_VGATHERDPS, DECODE_INDEXED, 4 },
	{ ZYDIS_MNEMONIC_VGATHERDPD, DECODE_INDEXED, 4 },
	{ ZYDIS_MNEMONIC_VGATHERQPS, DECODE_INDEXED, 8 },
	{ ZYDIS_MNEMONIC_VGATHERQPD, DECODE_INDEXED, 8 },
	{ ZYDIS_MNEMONIC_VPSCATTERDD, DECODE_INDEXED, 4 },
	{ ZYDIS_MNEMONIC_VPSCATTERDQ, DECODE_INDEXED, 4 },
	{ ZYDIS_MNEMONIC_VPSCATTERQD, DECODE_INDEXED, 8 },
	{ ZYDIS_MNEMONIC_VPSCATTERQQ, DECODE_INDEXED, 8 },
	{ ZYDIS_MNEMONIC_VSCATTERDPS, DECODE_INDEXED, 4 },
	{ ZYDIS_MNEMONIC_VSCATTERDPD, DECODE_INDEXED, 4 },
	{ ZYDIS_MNEMONIC_VSCATTERQPS, DECODE_INDEXED, 8 },
	{ ZYDIS_MNEMONIC_VSCATTERQPD, DECODE_INDEXED, 8 },
	{ ZYDIS_MNEMONIC_MASKMOVQ, DECODE_CHOSEN, 0 },
	{ ZYDIS_MNEMONIC_MASKMOVDQU, DECODE_CHOSEN, 0 },
	{ ZYDIS_MNEMONIC_VMASKMOVDQU, DECODE_CHOSEN, 0 },
	{ ZYDIS_MNEMONIC_VMASKMOVPS, DECODE_MASKED, 4 },
	{ ZYDIS_MNEMONIC_VMASKMOVPD, DECODE_MASKED, 8 },
	{ ZYDIS_MNEMONIC_VPMASKMOVD, DECODE_MASKED, 4 },
	{ ZYDIS_MNEMONIC_VPMASKMOVQ, DECODE_MASKED, 8 },
	{ ZYDIS_MNEMONIC_XSAVE, DECODE_STATE, 0 },
	{ ZYDIS_MNEMONIC_XSAVE64, DECODE_STATE, 0 },
	{ ZYDIS_MNEMONIC_XSAVEOPT, DECODE_STATE, 0 },
	{ ZYDIS_MNEMONIC_XSAVEOPT64, DECODE_STATE, 0 },
	{ ZYDIS_MNEMONIC_XSAVEC, DECODE_STATE, 0 },
	{ ZYDIS_MNEMONIC_XSAVEC64, DECODE_STATE, 0 },
	{ ZYDIS_MNEMONIC_XRSTOR, DECODE_STATE, 0 },
	{ ZYDIS_MNEMONIC_XRSTOR64, DECODE_STATE, 0 },
	{ ZYDIS_MNEMONIC_BT, DECODE_BIT, 0 },
	{ ZYDIS_MNEMONIC_BTS, DECODE_BIT, 0 },
	{ ZYDIS_MNEMONIC_BTR, DECODE_BIT, 0 },
	{ ZYDIS_MNEMONIC_BTC, DECODE_BIT, 0 },
	{ ZYDIS_MNEMONIC_TILELOADD, DECODE_UNKNOWN, 0 },
	{ ZYDIS_MNEMONIC_TILELOADDT1, DECODE_UNKNOWN, 0 },
	{ ZYDIS_MNEMONIC_TILESTORED, DECODE_UNKNOWN, 0 },
};

/* Instructions that have an address but read and write nothing there. */
static bool is_idle(const ZydisDecodedInstruction *i)
{
	switch (i->mnemonic) {
	case ZYDIS_MNEMONIC_NOP:
	case ZYDIS_MNEMONIC_CLFLUSH:
	case ZYDIS_MNEMONIC_CLFLUSHOPT:
	case ZYDIS_MNEMONIC_CLWB:
	case ZYDIS_MNEMONIC_CLDEMOTE:
	case ZYDIS_MNEMONIC_PREFETCHWT1:
	/* Linux does not enable MPX, so these do nothing. */
	case ZYDIS_MNEMONIC_BNDMOV:
	case ZYDIS_MNEMONIC_BNDLDX:
	case ZYDIS_MNEMONIC_BNDSTX:
	case ZYDIS_MNEMONIC_VGATHERPF0DPS:
	case ZYDIS_MNEMONIC_VGATHERPF0DPD:
	case ZYDIS_MNEMONIC_VGATHERPF0QPS:
	case ZYDIS_MNEMONIC_VGATHERPF0QPD:
	case ZYDIS_MNEMONIC_VGATHERPF1DPS:
	case ZYDIS_MNEMONIC_VGATHERPF1DPD:
	case ZYDIS_MNEMONIC_VGATHERPF1QPS:
	case ZYDIS_MNEMONIC_VGATHERPF1QPD:
	case ZYDIS_MNEMONIC_VSCATTERPF0DPS:
	case ZYDIS_MNEMONIC_VSCATTERPF0DPD:
	case ZYDIS_MNEMONIC_VSCATTERPF0QPS:
	case ZYDIS_MNEMONIC_VSCATTERPF0QPD:
	case ZYDIS_MNEMONIC_VSCATTERPF1DPS:
	case ZYDIS_MNEMONIC_VSCATTERPF1DPD:
	case ZYDIS_MNEMONIC_VSCATTERPF1QPS:
	case ZYDIS_MNEMONIC_VSCATTERPF1QPD:
		return true;
	default:
		return i->meta.category == ZYDIS_CATEGORY_WIDENOP ||
		       i->meta.category == ZYDIS_CATEGORY_PREFETCH;
	}
}

/* The number of a vector register, whatever part of it is used. */
static uint8_t vector_number(ZydisRegister r)
{
	ZydisRegister whole = largest(ZYDIS_MACHINE_MODE_LONG_64, r);
	return whole >= ZYDIS_REGISTER_ZMM0 && whole <= ZYDIS_REGISTER_ZMM31
		       ? (uint8_t)(whole - ZYDIS_REGISTER_ZMM0)
		       : REGISTER_NONE;
}

static unsigned vector_bytes(ZydisRegister r)
{
	return r >= ZYDIS_REGISTER_ZMM0 && r <= ZYDIS_REGISTER_ZMM31   ? 64
	       : r >= ZYDIS_REGISTER_YMM0 && r <= ZYDIS_REGISTER_YMM31 ? 32
								       : 16;
}

/* A gather or scatter: its lanes are those that both vectors have. */
static void note_indices(struct decode *d, const ZydisDecodedInstruction *i,
			 const ZydisDecodedOperand *o, const ZydisDecodedOperand *memory)
{
	unsigned data = 0;
	for (unsigned k = 0; k < i->operand_count_visible; k++)
		if (o[k].type == ZYDIS_OPERAND_TYPE_REGISTER && vector_number(o[k].reg.value) < 32) {
			data = vector_bytes(o[k].reg.value);
			d->mask.number = vector_number(o[k].reg.value);
			if (i->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX)
				break;
		}
	d->mask.from = MASK_SIGNS;
	d->mask.index = vector_number(memory->mem.index);
	const unsigned indices = vector_bytes(memory->mem.index) / d->mask.index_bytes;
	data /= d->mask.element;
	d->mask.lanes = (uint8_t)(data < indices ? data : indices);
}

/* An operand whose lanes a mask register chooses (EVEX). */
static void note_opmask(struct decode *d, const ZydisDecodedInstruction *i,
			const ZydisDecodedOperand *memory)
{
	const bool store = memory->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	d->mask.from = MASK_OPMASK;
	d->mask.number = (uint8_t)(i->avx.mask.reg - ZYDIS_REGISTER_K0);
	if (d->operand[0].shape == DECODE_INDEXED)
		return;
	switch (i->meta.exception_class) {
	case ZYDIS_EXCEPTION_CLASS_E1NF:
	case ZYDIS_EXCEPTION_CLASS_E4NF:
	case ZYDIS_EXCEPTION_CLASS_E5NF:
	case ZYDIS_EXCEPTION_CLASS_E6NF:
	case ZYDIS_EXCEPTION_CLASS_E9NF:
	case ZYDIS_EXCEPTION_CLASS_E10NF:
		/* Without fault suppression, a load reads all of its operand. */
		if (!store) {
			d->mask.from = MASK_NONE;
			return;
		}
		break;
	default:
		break;
	}
	d->operand[0].shape = DECODE_MASKED;
	d->mask.kind = MEM_MASK_EACH;
	d->mask.lanes = (uint8_t)memory->element_count;
	if (i->meta.category == ZYDIS_CATEGORY_COMPRESS || i->meta.category == ZYDIS_CATEGORY_EXPAND)
		d->mask.kind = MEM_MASK_PACKED;
	const bool whole = i->meta.category == ZYDIS_CATEGORY_AVX512_4FMAPS ||
			   i->meta.category == ZYDIS_CATEGORY_AVX512_4VNNIW;
	if (i->avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID || whole) {
		/* Any lane needs the element; the vector has vector_length / size lanes. */
		d->mask.kind = MEM_MASK_ANY;
		d->mask.lanes = (uint8_t)(i->avx.vector_length / memory->element_size);
	}
}

/* Notes which bytes the operand in memory stands for, if not those at its address. */
static bool note_shape(struct decode *d, const ZydisDecodedInstruction *i,
		       const ZydisDecodedOperand *o, const ZydisDecodedOperand *memory)
{
	const struct decode_special *special = NULL;
	for (unsigned k = 0; k < sizeof specials / sizeof *specials && !special; k++)
		if (specials[k].mnemonic == i->mnemonic)
			special = &specials[k];
	d->mask.element = (uint8_t)(memory->element_size / 8);
	if (special)
		d->operand[0].shape = special->shape;
	switch (d->operand[0].shape) {
	case DECODE_INDEXED:
		d->mask.index_bytes = special->bytes;
		note_indices(d, i, o, memory);
		break;
	case DECODE_MASKED:
		d->mask = (struct decode_mask){ .kind = MEM_MASK_EACH,
						.element = special->bytes,
						.lanes = (uint8_t)(memory->size / 8 / special->bytes),
						.from = MASK_SIGNS,
						.number = vector_number(o[1].reg.value) };
		break;
	case DECODE_CHOSEN:
		d->mask.number = (uint8_t)(o[1].reg.value - (memory->size == 64 ? ZYDIS_REGISTER_MM0
										: ZYDIS_REGISTER_XMM0));
		break;
	case DECODE_STATE:
		if (d->operand[0].kind == MEM_BOTH)
			d->operand[0].kind = MEM_SAVE;
		break;
	case DECODE_BIT:
		if (o[1].type != ZYDIS_OPERAND_TYPE_REGISTER)
			d->operand[0].shape = DECODE_WHOLE;
		else
			d->mask.number = general(o[1].reg.value);
		break;
	default:
		break;
	}
	if (i->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX &&
	    i->avx.mask.mode > ZYDIS_MASK_MODE_DISABLED && i->avx.mask.reg != ZYDIS_REGISTER_K0)
		note_opmask(d, i, memory);
	return d->operand[0].shape == DECODE_WHOLE || d->operand[0].shape == DECODE_MASKED;
}

/* Describes an operand in memory. Returns false if the instruction needs a single step. */
static bool note_memory(struct decode *d, const ZydisDecodedInstruction *i,
			const ZydisDecodedOperand *all, const ZydisDecodedOperand *o)
{
	if (d->operands == DECODE_OPERANDS)
		return false;
	struct decode_operand *to = &d->operand[d->operands++];
	to->displacement = o->mem.disp.value;
	to->bytes = o->size / 8 ? o->size / 8 : 1;
	to->kind = (uint8_t)kind_of(o);
	to->base = general(o->mem.base);
	to->index = general(o->mem.index);
	to->scale = o->mem.scale;
	if (o->mem.segment == ZYDIS_REGISTER_FS)
		to->segment = 4;
	if (o->mem.segment == ZYDIS_REGISTER_GS)
		to->segment = 5;
	if (i->mnemonic == ZYDIS_MNEMONIC_XLAT)
		to->index = REGISTER_AL, to->scale = 1;
	const bool by_address = d->operands > 1 || note_shape(d, i, all, o);
	return by_address && to->segment == 0 && o->mem.type == ZYDIS_MEMOP_TYPE_MEM;
}

static bool is_string(ZydisMnemonic m, bool *compares)
{
	*compares = false;
	switch (m) {
	case ZYDIS_MNEMONIC_CMPSB:
	case ZYDIS_MNEMONIC_CMPSW:
	case ZYDIS_MNEMONIC_CMPSD:
	case ZYDIS_MNEMONIC_CMPSQ:
	case ZYDIS_MNEMONIC_SCASB:
	case ZYDIS_MNEMONIC_SCASW:
	case ZYDIS_MNEMONIC_SCASD:
	case ZYDIS_MNEMONIC_SCASQ:
		*compares = true;
		return true;
	case ZYDIS_MNEMONIC_MOVSB:
	case ZYDIS_MNEMONIC_MOVSW:
	case ZYDIS_MNEMONIC_MOVSD:
	case ZYDIS_MNEMONIC_MOVSQ:
	case ZYDIS_MNEMONIC_STOSB:
	case ZYDIS_MNEMONIC_STOSW:
	case ZYDIS_MNEMONIC_STOSD:
	case ZYDIS_MNEMONIC_STOSQ:
	case ZYDIS_MNEMONIC_LODSB:
	case ZYDIS_MNEMONIC_LODSW:
	case ZYDIS_MNEMONIC_LODSD:
	case ZYDIS_MNEMONIC_LODSQ:
		return true;
	default:
		return false;
	}
}

/* Finds the byte that extends the register numbers of an address (REX, VEX or EVEX). */
static void note_encoding(struct decode *d, const ZydisDecodedInstruction *i)
{
	d->rex = 0xff;
	d->encoding = ENCODING_VEX;
	switch (i->encoding) {
	case ZYDIS_INSTRUCTION_ENCODING_LEGACY:
	case ZYDIS_INSTRUCTION_ENCODING_3DNOW:
		d->encoding = ENCODING_LEGACY;
		if (i->attributes & ZYDIS_ATTRIB_HAS_REX)
			d->rex = i->raw.rex.offset;
		break;
	case ZYDIS_INSTRUCTION_ENCODING_VEX:
		if (i->raw.vex.size == 3)
			d->rex = (uint8_t)(i->raw.vex.offset + 1);
		break;
	case ZYDIS_INSTRUCTION_ENCODING_EVEX:
		d->rex = (uint8_t)(i->raw.evex.offset + 1);
		break;
	case ZYDIS_INSTRUCTION_ENCODING_XOP:
		d->rex = (uint8_t)(i->raw.xop.offset + 1);
		break;
	default:
		d->form = FORM_OTHER;
	}
}

static void note_form(struct decode *d, const ZydisDecodedInstruction *i, bool simple)
{
	bool by_modrm = i->attributes & ZYDIS_ATTRIB_HAS_MODRM && i->raw.modrm.mod != 3;
	d->form = d->operands == 0 ? FORM_NONE : FORM_OTHER;
	if (is_string(i->mnemonic, &d->is.compares) && !by_modrm) {
		d->form = simple && !d->is.short_address ? FORM_STRING : FORM_OTHER;
		d->used |= 1U << 6 | 1U << 7;
	} else if (simple && d->operands == 1 && by_modrm) {
		d->form = FORM_PLAIN;
		if (i->mnemonic == ZYDIS_MNEMONIC_JMP)
			d->form = FORM_JUMP;
		if (i->mnemonic == ZYDIS_MNEMONIC_CALL)
			d->form = FORM_CALL;
		if (i->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
			d->form = FORM_OTHER;
		/* The address is computed with the stack pointer after the pop has changed it. */
		if (i->mnemonic == ZYDIS_MNEMONIC_POP && d->operand[0].base == 4)
			d->form = FORM_OTHER;
	}
	d->modrm = i->raw.modrm.offset;
	d->rest = (uint8_t)(d->modrm + 1);
	if (i->attributes & ZYDIS_ATTRIB_HAS_SIB)
		d->rest++;
	d->rest = (uint8_t)(d->rest + i->raw.disp.size / 8);
	note_encoding(d, i);
}

/* Whether an instruction may leave the flags as they are, although it can set them. */
static bool may_keep_flags(const ZydisDecodedInstruction *i)
{
	switch (i->mnemonic) {
	case ZYDIS_MNEMONIC_SHL:
	case ZYDIS_MNEMONIC_SHR:
	case ZYDIS_MNEMONIC_SAR:
	case ZYDIS_MNEMONIC_SHLD:
	case ZYDIS_MNEMONIC_SHRD:
	case ZYDIS_MNEMONIC_ROL:
	case ZYDIS_MNEMONIC_ROR:
	case ZYDIS_MNEMONIC_RCL:
	case ZYDIS_MNEMONIC_RCR:
		return true;
	default:
		return i->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
					ZYDIS_ATTRIB_HAS_REPNE);
	}
}

static void note_flags(struct decode *d, const ZydisDecodedInstruction *i)
{
	const ZydisAccessedFlags *f = i->cpu_flags;
	d->flags_read = d->flags_set = 0;
	if (!f)
		return;
	d->flags_read = (uint16_t)(f->tested & DECODE_FLAGS);
	if (!may_keep_flags(i))
		d->flags_set = (uint16_t)((f->modified | f->set_0 | f->set_1 | f->undefined) &
					  DECODE_FLAGS);
}

/*
 * Finds a general register that is set whatever it was. bsf and bsr may leave theirs.
 */
static void note_set(struct decode *d, const ZydisDecodedInstruction *i,
		     const ZydisDecodedOperand *o)
{
	d->set = REGISTER_NONE;
	if (i->operand_count == 0 || o[0].type != ZYDIS_OPERAND_TYPE_REGISTER || o[0].size < 32 ||
	    o[0].actions != ZYDIS_OPERAND_ACTION_WRITE || i->mnemonic == ZYDIS_MNEMONIC_BSF ||
	    i->mnemonic == ZYDIS_MNEMONIC_BSR)
		return;
	const uint8_t r = general(o[0].reg.value);
	if (r >= 16)
		return;
	for (unsigned k = 1; k < i->operand_count; k++)
		if ((o[k].type == ZYDIS_OPERAND_TYPE_REGISTER && general(o[k].reg.value) == r) ||
		    (o[k].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		     (general(o[k].mem.base) == r || general(o[k].mem.index) == r)))
			return;
	d->set = r;
}

bool decode(uintptr_t pc, struct decode *d)
{
	ZydisDecodedInstruction i;
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
	*d = (struct decode){ .length = 0 };
	if (ZYAN_FAILED(decode_full(&decoder, (const void *)pc, DECODE_BYTES, &i, o)))
		return false;
	d->length = i.length;
	raw_copy(d->bytes, (const void *)pc, i.length);
	d->is.short_address = i.address_width == 32;
	d->is.ends = i.meta.category == ZYDIS_CATEGORY_RET ||
		     i.meta.category == ZYDIS_CATEGORY_UNCOND_BR;
	d->is.relative = i.attributes & ZYDIS_ATTRIB_IS_RELATIVE;
	d->is.branch = i.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE ||
		       i.meta.category == ZYDIS_CATEGORY_RET ||
		       i.meta.category == ZYDIS_CATEGORY_SYSCALL ||
		       i.meta.category == ZYDIS_CATEGORY_INTERRUPT;
	d->is.repeated = i.attributes &
			 (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE);
	bool simple = true;
	const bool idle = is_idle(&i);
	for (unsigned k = 0; k < i.operand_count; k++) {
		bool implied = o[k].visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
		if (o[k].type == ZYDIS_OPERAND_TYPE_REGISTER) {
			uint8_t r = general(o[k].reg.value);
			if (r < 16)
				d->used |= (uint16_t)(1U << r);
		} else if (o[k].type == ZYDIS_OPERAND_TYPE_MEMORY &&
			   o[k].mem.type != ZYDIS_MEMOP_TYPE_AGEN && !idle) {
			if (implied && general(o[k].mem.base) == 4)
				d->is.stack = true;
			else
				simple &= note_memory(d, &i, o, &o[k]);
		}
	}
	note_form(d, &i, simple);
	note_flags(d, &i);
	note_set(d, &i, o);
	d->is.atomic = (d->form == FORM_PLAIN || d->operand[0].shape == DECODE_BIT) &&
		       (i.attributes & ZYDIS_ATTRIB_HAS_LOCK || i.mnemonic == ZYDIS_MNEMONIC_XCHG);
	return true;
}

/* What was decoded last, by the low bits of pc. It counts if no decode_forget() came since. */
enum { RECENT = 256 };
static uint64_t forgotten = 1;
static struct {
	uintptr_t pc;
	uint64_t since; /* `forgotten` when it was decoded */
	struct decode d;
} recent[RECENT];

bool decode_again(uintptr_t pc, struct decode *d)
{
	const uintptr_t i = pc % RECENT;
	if (recent[i].pc != pc || recent[i].since != forgotten) {
		recent[i].since = 0;
		if (!decode(pc, &recent[i].d))
			return false;
		recent[i].pc = pc;
		recent[i].since = forgotten;
	}
	*d = recent[i].d;
	return true;
}

void decode_forget(void)
{
	forgotten++;
}

/* The index of each general register in the context of a signal. */
static const uint8_t places[16] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
				    REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
				    REG_R12, REG_R13, REG_R14, REG_R15 };

uint64_t *decode_register(ucontext_t *context, unsigned number)
{
	return (uint64_t *)&context->uc_mcontext.gregs[places[number]];
}

static uint64_t value_of(const ucontext_t *context, uint8_t number)
{
	if (number == REGISTER_AL)
		return (uint8_t)context->uc_mcontext.gregs[REG_RAX];
	return number < 16 ? (uint64_t)context->uc_mcontext.gregs[places[number]] : 0;
}

uintptr_t decode_address(const struct decode *d, unsigned operand, uintptr_t pc,
			 const ucontext_t *context)
{
	const struct decode_operand *o = &d->operand[operand];
	uint64_t at = (uint64_t)o->displacement;
	at += o->base == REGISTER_RIP ? pc + d->length : value_of(context, o->base);
	at += value_of(context, o->index) * o->scale;
	if (o->shape == DECODE_BIT) {
		/* The number of the bit is signed, and as wide as the operand. */
		const unsigned unused = 64 - 8U * o->bytes;
		const int64_t bit = (int64_t)(value_of(context, d->mask.number) << unused) >> unused;
		at += (uint64_t)(bit >> 3) & ~(uint64_t)(o->bytes - 1);
	}
	if (d->is.short_address)
		at = (uint32_t)at;
	uint64_t base = 0;
	if (o->segment == 4)
		__asm__ volatile("mov %%fs:0, %0" : "=r"(base));
	return at + base;
}
