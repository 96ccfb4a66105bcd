/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfa_shapes.h: the overlays on which nfacc_nfa is simulated, and the numbers that follow from
 * them. These are computed here once more from their definitions, so that the contract's code is
 * tested, too.
 */
#ifndef NFA_SHAPES_H
#define NFA_SHAPES_H
#include <set>
#include <string>
#include <vector>

enum {
#define VALUE(field, constant, word, number, text) constant = number,
#include "../../contract/contract.def"
};

enum { ELEMENT_FIELDS = 64 }; /* `NFACC_ELEMENT_BITS */

/* Returns the highest id of the elements that are sent to an engine: `NFACC_DEVICE_IDS. */
inline int last_element()
{
	const bool ROWS = true, TABLES = true, CHAIN = true, REGISTER = true, WRITES = true,
		   SPARSE = false, OPTION = false;
	int last = 0;
#define ELEMENT(id, name, storage, ...) last = (storage) && (id) > last ? (id) : last;
#include "../../contract/contract.def"
	return last;
}

/* The parameters of an overlay, as contract.def names them: a row of the table of shapes, not more
 * than one thing. */
struct shape {
	const char *name;
	int clique, length, rings, reach, decoder, bank, predecessors, lines, labels, data, memory;
	int slots, op_bits, idle, counters, counter_width;

	int ncliques() const { return length * rings; }
	int nste() const { return clique * ncliques(); }
	int nnodes() const { return clique + counters; }
	int ncounters() const { return counters * ncliques(); }
	int nall() const { return nste() + ncounters(); }
	int npred() const { return (int)near(0).size() * nnodes(); }
	int npredlut() const { return (npred() + 4) / 5; }
	int ngroup() const { return (nall() + 4) / 5; }
	int opcodes() const { return 1 << op_bits; }
	int ntable() const { return (opcodes() + 31) / 32; }
	int nrow() const { return slots * opcodes(); }
	int width() const { return decoder == BANK ? bank : nste(); }
	int row_words() const { return (width() + data - 1) / data; }
	static int bits(int n)
	{
		int b = 1;
		while (1 << b < n)
			b++;
		return b;
	}
	int line_bits() const { return bits(lines); }
	int select_bits() const { return bits(bank); }
	/* Return the configuration words of n bits in a CHAIN element, or of n tables in a TABLES
	 * element. */
	int chain(int n) const { return (n + data - 1) / data; }
	int tables(int n) const { return (n + data - 1) / data * 32; }
	/* Returns the configuration words of element `id` (doc/develop/contract.md). It returns 0
	 * for rows, whose number nfacc_nfa does not need. */
	int element_words(int id) const
	{
		switch (id) {
		case 2: return decoder == STE ? tables(nste() * slots * ntable()) : 0;
		case 4: return decoder == BANK ? chain(nste() * select_bits()) : 0;
		case 5: return decoder != BANK ? chain(nste()) : 0;
		case 6: return decoder == BANK ? chain(bank) : 0;
		case 7: return predecessors ? 0 : chain(nste() * npred());
		case 8: return predecessors ? tables(nste() * npredlut()) : 0;
		case 9: return chain(nste());
		case 10: return predecessors ? 0 : chain(nste());
		case 11: return tables(labels * ngroup());
		case 12: return tables(ngroup());
		case 21: case 23: return predecessors ? 0 : chain(ncounters() * npred());
		case 22: case 24: return predecessors ? tables(ncounters() * npredlut()) : 0;
		case 25: return chain(ncounters() * counter_width);
		case 26: return chain(ncounters() * 2);
		}
		return 0;
	}
	/* Returns the number of cycles from a batch to its labels: the length of the pipeline in
	 * rtl/nfa/nfacc_nfa.v. */
	int latency() const { return 3 + (decoder != STE) + (lines == 1 || decoder == BANK); }

	/* T 3.3.2: returns the neighbours of clique c in rising order, itself included. */
	std::vector<int> near(int c) const
	{
		std::set<int> found;
		int l = c % length, r = c / length;

		for (int d = -reach; d <= reach; d++)
			found.insert(((r + d) % rings + rings) % rings * length + l);
		for (int d = -1; d <= 1; d++)
			found.insert(r * length + ((l + d) % length + length) % length);
		return std::vector<int>(found.begin(), found.end());
	}
	/* Returns neighbour i of the nodes of clique c, as the number of a node: STEs come first,
	 * then counters. */
	int neighbour(int c, int i) const
	{
		int from = near(c)[i / nnodes()], k = i % nnodes();

		return k < clique ? from * clique + k : nste() + from * counters + k - clique;
	}
};

/* The columns: name, C, L, R, N, decoder, bank, predecessors, lines, labels, data, memory, slots,
 * op_bits, idle, counters in a clique, bits of a counter. */
static const struct shape shapes[] = {
	{"four", 2, 2, 1, 0, STE, 16, 1, 1, 1, 32, 0, 20, 5, 31, 0, 16},
	{"rows", 2, 5, 4, 1, ROWS, 16, 1, 1, 3, 32, 0, 4, 5, 31, 0, 16},
	{"wide", 3, 4, 2, 1, ROWS, 16, 1, 1, 2, 64, 0, 5, 5, -1, 0, 16},
	{"two", 2, 2, 2, 1, ROWS, 16, 1, 2, 2, 32, 0, 3, 5, 31, 0, 16},
	{"eight", 2, 2, 1, 0, STE, 16, 1, 8, 2, 32, 0, 3, 5, -1, 0, 16},
	{"bytes", 3, 4, 1, 0, ROWS, 16, 1, 1, 2, 32, 0, 1, 8, -1, 0, 16},
	{"tables", 2, 2, 1, 0, STE, 16, 1, 1, 1, 32, 0, 1, 8, -1, 0, 16},
	{"seven", 2, 4, 2, 1, ROWS, 16, 0, 1, 2, 64, 0, 3, 7, 5, 0, 16},
	{"block", 2, 3, 3, 1, ROWS, 16, 1, 1, 2, 32, 1, 3, 5, 31, 0, 16},
	{"block8", 1, 4, 1, 0, ROWS, 16, 0, 8, 2, 64, 1, 3, 5, -1, 0, 16},
	{"bank", 2, 4, 2, 1, BANK, 11, 1, 1, 2, 32, 0, 3, 5, 31, 0, 16},
	{"bank3", 2, 3, 1, 0, BANK, 40, 0, 3, 1, 32, 1, 2, 4, -1, 0, 16},
	{"clique", 7, 1, 1, 0, ROWS, 16, 1, 1, 20, 64, 0, 2, 3, -1, 0, 16},
	{"single", 1, 1, 1, 0, ROWS, 1, 0, 1, 1, 32, 0, 1, 1, -1, 0, 16},
	{"counts", 3, 4, 2, 1, ROWS, 16, 1, 1, 3, 32, 0, 3, 5, 31, 2, 2},
	{"counts1", 2, 2, 1, 0, STE, 16, 1, 3, 2, 64, 0, 3, 5, -1, 1, 1},
	{"counts2", 2, 3, 2, 1, ROWS, 16, 0, 1, 2, 64, 0, 3, 5, 31, 3, 5},
	{"counts8", 2, 2, 2, 0, BANK, 7, 0, 8, 1, 32, 0, 3, 4, -1, 1, 32},
	{"counts16", 5, 2, 2, 1, ROWS, 16, 1, 2, 2, 32, 1, 3, 5, -1, 4, 16},
	{"many", 2, 1, 1, 0, STE, 16, 1, 40, 1, 32, 0, 2, 5, 31, 0, 16},
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };
#endif
