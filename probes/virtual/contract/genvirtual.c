/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * genvirtual: prints what is generated from probes/virtual/contract/virtual.def, the include for
 * the front end, probes/virtual/rtl/virt_contract.vh. It is kept in the tree, and `make check`
 * compares it.
 */
#include <stdio.h>

#include "probes/virtual/contract/virtual.h"

/* Prints the name of a field as its range of bits. */
static void print_field(const char *name, const char *field, int lsb, int width, const char *text)
{
	const char *open = text[0] == 0 ? "" : " // ";

	printf("`define VIRT_%s_%s %d:%d%s%s\n", name, field, lsb + width - 1, lsb, open, text);
}

static void reg(const char *name, int at, int count, const char *text)
{
	printf("`define VIRT_%s_AT 12'h%03x // ", name, (unsigned)at);
	if (count > 1)
		printf("%d of them, 8 bytes apart: ", count);
	printf("%s\n", text);
}

/* Prints number `value` as a name of so many bits. */
static void value(const char *kind, const char *name, int bits, int value, const char *text)
{
	printf("`define VIRT_%s%s %d'd%d // %s\n", kind, name, bits, value, text);
}

static int bits_of(int n)
{
	int bits = 0;

	while (1 << bits < n)
		bits++;
	return bits;
}

int main(void)
{
	/* REUSE-IgnoreStart: the licence below is that of the file made here. */
	puts("// SPDX-License-Identifier: BSD-2-Clause\n"
	     "// SPDX-FileCopyrightText: nfacc contributors\n"
	     "// Made from probes/virtual/contract/virtual.def by probes/virtual/contract/genvirtual.c; "
	     "`make check` compares. Do not edit.");
	/* REUSE-IgnoreEnd */
	puts("`ifndef VIRT_CONTRACT_VH\n`define VIRT_CONTRACT_VH\n\n// Sizes.");
#define VIRT_SIZE(name, value, text) printf("`define VIRT_%s %d // %s\n", #name, value, text);
#include "probes/virtual/contract/virtual.def"
	puts("\n// Registers, the bits of their fields, and the lowest of these.");
#define VIRT_REG(member, name, offset, count, text) reg(#name, offset, count, text);
#define VIRT_MSG_REG(name, offset, text) reg(#name, offset, 1, text);
#define VIRT_FIELD(name, member, lsb, width, text) print_field(#name, #member, lsb, width, text);
#include "probes/virtual/contract/virtual.def"
	puts("\n// Counters, by number.");
	printf("`define VIRT_COUNTERS %d\n", VIRT_COUNTERS);
#define VIRT_COUNTER(name, text) \
	value("COUNT_", #name, bits_of(VIRT_COUNTERS), VIRT_COUNT_##name, text);
#include "probes/virtual/contract/virtual.def"
	puts("\n// Kinds of snoops.");
#define VIRT_SNOOP(name, text) value("", #name, VIRT_SNOOP_BITS, VIRT_##name, text);
#include "probes/virtual/contract/virtual.def"
	puts("\n// Kinds of DVM messages.");
#define VIRT_DVM(name, text) value("", #name, VIRT_DVM_BITS, VIRT_##name, text);
#include "probes/virtual/contract/virtual.def"
	puts("\n// Bits of a page table entry.");
#define VIRT_PTE_BIT(name, bit, text) printf("`define VIRT_PTE_%s %d // %s\n", #name, bit, text);
#include "probes/virtual/contract/virtual.def"
	puts("\n// A record, of 128 bits: the bits of its fields.");
#define VIRT_RECORD(member, word, lsb, width, text)                                                \
	print_field("RECORD", #member, 64 * (word) + (lsb), width, text);
#include "probes/virtual/contract/virtual.def"
	puts("\n// The header of a message: the bits of its fields.");
#define VIRT_HEADER(member, lsb, width, text)                                                      \
	print_field("HEADER", #member, lsb, width, text);                                          \
	printf("`define VIRT_HEADER_%s_LSB %d\n", #member, lsb);                                   \
	printf("`define VIRT_HEADER_%s_WIDTH %d\n", #member, width);
#include "probes/virtual/contract/virtual.def"
	puts("`endif");
}
