/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/inside/decode.h"

#include "probes/memory/inside/inside.h"
#include "probes/memory/inside/raw.h"

#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <sys/ucontext.h>

#define LIBRARY "libZydis.so.4.0"

static ZydisDecoder decoder;
static __typeof__(ZydisDecoderDecodeFull) *decode_full;
static __typeof__(ZydisRegisterGetLargestEnclosing) *largest;

bool decode_start(void)
{
	void *library = dlmopen(LM_ID_NEWLM, LIBRARY, RTLD_NOW | RTLD_LOCAL);
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

/* Describes an operand in memory. Returns false if the instruction needs a single step. */
static bool note_memory(struct decode *d, const ZydisDecodedOperand *o)
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
	if (o->mem.type == ZYDIS_MEMOP_TYPE_VSIB)
		to->vector = 1;
	return to->segment == 0 && o->mem.type == ZYDIS_MEMOP_TYPE_MEM;
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
	/* These instructions have an address but do not access memory. */
	bool idle = i.mnemonic == ZYDIS_MNEMONIC_NOP || i.meta.category == ZYDIS_CATEGORY_WIDENOP ||
		    i.meta.category == ZYDIS_CATEGORY_PREFETCH;
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
				simple &= note_memory(d, &o[k]);
		}
	}
	note_form(d, &i, simple);
	d->is.atomic = d->form == FORM_PLAIN &&
		       (i.attributes & ZYDIS_ATTRIB_HAS_LOCK || i.mnemonic == ZYDIS_MNEMONIC_XCHG);
	return true;
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
	return number < 16 ? (uint64_t)context->uc_mcontext.gregs[places[number]] : 0;
}

uintptr_t decode_address(const struct decode *d, unsigned operand, uintptr_t pc,
			 const ucontext_t *context)
{
	const struct decode_operand *o = &d->operand[operand];
	uint64_t at = (uint64_t)o->displacement;
	at += o->base == REGISTER_RIP ? pc + d->length : value_of(context, o->base);
	at += value_of(context, o->index) * o->scale;
	if (d->is.short_address)
		at = (uint32_t)at;
	uint64_t base = 0;
	if (o->segment == 4)
		__asm__ volatile("mov %%fs:0, %0" : "=r"(base));
	return at + base;
}
