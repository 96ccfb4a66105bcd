/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include <inttypes.h>

#include "backends/image/inspect.h"

/* Appends the name of a node with its ring, its place on the ring and its place in the clique:
 * `STE 12 (r0 l2 c2)` or `counter 3 (r0 l3 c0)`. */
static void node_name(const struct overlay *o, uint32_t node, struct buf *b)
{
	uint32_t n = overlay_nste(o), c = contract_clique_of(o, node);

	buf_addf(b, "%s %" PRIu32 " (r%" PRIu32 " l%" PRIu32 " c%" PRIu32 ")",
		 node < n ? "STE" : "counter", node < n ? node : node - n, c / o->length,
		 c % o->length, node < n ? node % o->clique : (node - n) % o->counters);
}

/* Appends what repetition i of an element configures, such as `STE 12 (r0 l2 c2)` or
 * `row 5 (cpu@0 opcode 5)`. */
static void instance(const struct nfart_image *im, const struct element *el, uint32_t i,
		     struct buf *b)
{
	const struct overlay *o = &im->overlay;
	uint32_t tests = el->per == PER_GUARD          ? o->guards
			 : el->per == PER_RANGE        ? o->ranges
			 : el->per == PER_PAYLOAD_TEST ? o->payload_tests : 0;
	uint32_t slot = el->per == PER_ROW ? i >> overlay_row_bits(o) :
			tests != 0 ? i / tests : i % overlay_nslots(o);
	uint32_t ste = el->per == PER_STE_SLOT ? i / overlay_nslots(o) : i;
	char name[80] = "time";

	if (slot < o->slots)
		proto_slot_name(im->proto, slot, name);
	switch (el->per) {
	case PER_ONCE:
		break;
	case PER_BANK:
		buf_addf(b, " decoder %" PRIu32, i);
		break;
	case PER_ROW:
		buf_addf(b, " row %" PRIu32 " (%s %s %" PRIu32 ")", i, name,
			 overlay_ntest(o) == 0 && slot < o->slots ? "opcode" : "letter",
			 i & (overlay_row_codes(o) - 1));
		break;
	case PER_SLOT:
		buf_addf(b, " %s", name);
		break;
	case PER_GUARD:
	case PER_RANGE:
	case PER_PAYLOAD_TEST:
		buf_addf(b, " %s test %" PRIu32, name, i % tests);
		break;
	case PER_LABEL_GROUP:
		buf_addf(b, " label %" PRIu32, i / overlay_ngroup(o));
		i %= overlay_ngroup(o);
		/* fall through */
	case PER_GROUP:
		buf_addf(b, " %s %" PRIu32 "..%" PRIu32, o->counters != 0 ? "nodes" : "STEs", 5 * i,
			 5 * i + 5 < overlay_nall(o) ? 5 * i + 4 : overlay_nall(o) - 1);
		break;
	case PER_COUNTER:
		buf_addf(b, " ");
		node_name(o, overlay_nste(o) + i, b);
		break;
	case PER_STE:
	case PER_STE_SLOT:
		buf_addf(b, " ");
		node_name(o, ste, b);
		if (el->per == PER_STE_SLOT)
			buf_addf(b, " %s", name);
		break;
	}
}

/* Appends the numbers of the set bits among the `width` bits that begin at bit `at` of words. */
static void set_bits(const uint32_t *words, uint64_t at, uint32_t width, struct buf *b)
{
	const char *sep = "";

	buf_addf(b, " {");
	for (uint32_t i = 0; i < width; i++)
		if (words_get(words, at + i, 1) != 0) {
			buf_addf(b, "%s%" PRIu32, sep, i);
			sep = " ";
		}
	buf_addf(b, "}");
}

/* Appends a line for each repetition of a CHAIN or REGISTER element. The line says which bits the
 * repetition has and what their value is. */
static void chain(const struct nfart_image *im, const struct image_element *e, struct buf *b)
{
	uint32_t width = e->el->width(&im->overlay), n = element_count(e->el, &im->overlay);
	const uint32_t *words = im->device.halves + e->at;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t at = element_place(e->el, &im->overlay, i, 0),
			 bit = e->at * (uint64_t)32 + at;
		buf_addf(b, "  bits %" PRIu64 "..%" PRIu64 " %s", bit, bit + width - 1,
			 e->el->name);
		instance(im, e->el, i, b);
		if (width <= 64 && (e->el->encoding == ENCODING_INTEGER || width == 1))
			buf_addf(b, " = %" PRIu64, words_get(words, at, width));
		else
			set_bits(words, at, width, b);
		buf_addf(b, "\n");
	}
}

/* Appends the nodes that are inputs of the OR in `table`, which is truth table k of repetition i.
 * An STE is printed as its number, a counter as c and its number. */
static void inputs(const struct nfart_image *im, const struct element *el, uint32_t i, uint32_t k,
		   uint32_t table, struct buf *b)
{
	const struct overlay *o = &im->overlay;
	bool of_node = el->per == PER_STE || el->per == PER_COUNTER;
	uint32_t near[256], first = 5 * (of_node ? k : i % overlay_ngroup(o)), n = overlay_nste(o);

	if (of_node && contract_degree(o) > 256)
		return;
	if (of_node)
		contract_neighbours(o, contract_clique_of(o, el->per == PER_STE ? i : n + i), near);
	buf_addf(b, of_node ? " from STEs {" : " STEs {");
	for (uint32_t in = 0; in < 5; in++) {
		uint32_t node = first + in;
		if ((table >> (1u << in) & 1) == 0)
			continue;
		if (of_node)
			node = contract_neighbour_node(o, near, node);
		buf_addf(b, node < n ? " %" PRIu32 : " c%" PRIu32, node < n ? node : node - n);
	}
	buf_addf(b, " }");
}

/* Appends which bits of a header or of payload table k of a test looks at, and for what. */
static void tested_bits(enum element_id id, uint32_t k, struct buf *b)
{
	if (id == EL_guard)
		buf_addf(b, " header bits %" PRIu32 "..%" PRIu32, 5 * k, 5 * k + 4);
	else
		buf_addf(b, " %s bits %" PRIu32 "..%" PRIu32 " %s",
			 id == EL_range ? "header" : "payload", k / 2 * 4, k / 2 * 4 + 3,
			 k % 2 == 0 ? "above" : "below");
}

/* Appends the lines of element copies: the place of the key, and the ranges after the first that
 * have copies. */
static void copies(const struct nfart_image *im, const struct image_element *e, struct buf *b)
{
	const struct overlay *o = &im->overlay;
	const uint32_t *words = im->device.halves + e->at;
	uint32_t at = overlay_place_bits(o), half = at / 2, lines = overlay_line_bits(o);
	uint64_t lsb = words_get(words, 0, half), last = words_get(words, half, half);

	if (at != 0)
		buf_addf(b, "  bits %zu..%zu copies key: header bits %" PRIu64 "..%" PRIu64 "\n",
			 e->at * 32, e->at * 32 + at - 1, lsb, lsb + last);
	for (uint32_t i = 1; i < o->key_ranges; i++, at += overlay_range_bits(o)) {
		uint64_t count = words_get(words, at + 64, lines + 1);
		if (count != 0)
			buf_addf(b, "  bits %zu..%zu copies range %" PRIu32 ": from 0x%" PRIx64
				 " count %" PRIu64 ", from copy %" PRIu64 " on\n",
				 e->at * 32 + at, e->at * 32 + at + overlay_range_bits(o) - 1, i,
				 words_get(words, at, 64), count,
				 words_get(words, at + 64 + lines + 1, lines));
	}
}

/* Appends a line for each word of element recode: which opcode, with which results of tests, gets
 * which letter. */
static void writes(const struct nfart_image *im, const struct image_element *e, struct buf *b)
{
	const struct overlay *o = &im->overlay;
	uint32_t step = o->data / 32, bits = overlay_recode_bits(o);
	char name[80];

	for (size_t i = 0; i < e->n; i += step) {
		uint32_t w = im->device.halves[e->at + i], at = w >> RECODE_ADDRESS;
		uint32_t opcode = at & (overlay_opcodes(o) - 1);
		proto_slot_name(im->proto, at >> bits, name);
		buf_addf(b, "  bits %zu..%zu %s %s opcode %" PRIu32 ", tests passed {",
			 (e->at + i) * 32, (e->at + i) * 32 + 31, e->el->name, name, opcode);
		for (uint32_t k = 0, n = 0; k < overlay_ntest(o); k++)
			if ((at >> (o->op_bits + k) & 1) != 0)
				buf_addf(b, "%s%" PRIu32, n++ != 0 ? " " : "", k);
		buf_addf(b, "}: letter %" PRIu32 "\n",
			 opcode ^ (w & ((1u << RECODE_ADDRESS) - 1)));
	}
}

/* Appends a line for each truth table that is not 0. In the line, `bits P + Wk` says that entry
 * 31 - k of the table is at bit P + W * k, where W is the overlay's data width. */
static void tables(const struct nfart_image *im, const struct image_element *e, struct buf *b)
{
	const struct overlay *o = &im->overlay;
	uint32_t per = e->el->width(o) / 32, n = element_count(e->el, o);
	const uint32_t *words = im->device.halves + e->at;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < per; k++) {
			uint32_t table = 0;
			for (uint32_t in = 0; in < 32; in++) {
				uint64_t at = element_place(e->el, o, i, 32 * k + in);
				table |= (uint32_t)words_get(words, at, 1) << in;
			}
			if (table == 0)
				continue;
			buf_addf(b, "  bits %" PRIu64 " + %" PRIu32 "k %s", e->at * 32 +
				 element_place(e->el, o, i, 32 * k + 31), o->data, e->el->name);
			instance(im, e->el, i, b);
			buf_addf(b, " table %" PRIu32 " = 0x%08" PRIx32, k, table);
			if (e->el->id == EL_guard || e->el->id == EL_range ||
			    e->el->id == EL_payload_test)
				tested_bits(e->el->id, k, b);
			else if (e->el->id == EL_keyed)
				set_bits(&table, 0, 32, b);
			else if (e->el->id != EL_decode && table == UINT32_MAX)
				buf_addf(b, " always");
			else if (e->el->id != EL_decode)
				inputs(im, e->el, i, k, table, b);
			buf_addf(b, "\n");
		}
}

/* Appends the lines for a ROWS element: one for each bit map of 32 rows, and one for each row that
 * is present. */
static void rows(const struct nfart_image *im, const struct image_element *e, struct buf *b)
{
	uint32_t n = element_count(e->el, &im->overlay), width = e->el->width(&im->overlay);
	uint32_t words = overlay_row_words(&im->overlay) * im->overlay.data / 32;
	size_t at = e->at, bit;

	for (uint32_t r = 0; r < n; r++) {
		const uint32_t *row = image_row(im, e, r);
		if (r % 32 == 0) {
			buf_addf(b, "  bits %zu..%zu %s: which of 32 rows from row %" PRIu32
				 " on are present\n", at * 32, at * 32 + 31, e->el->name, r);
			at += im->overlay.data / 32;
		}
		if (row == NULL)
			continue;
		bit = (size_t)(row - im->device.halves) * 32;
		at = (size_t)(row - im->device.halves) + words;
		buf_addf(b, "  bits %zu..%zu %s", bit, bit + width - 1, e->el->name);
		instance(im, e->el, r, b);
		set_bits(row, 0, width, b);
		buf_addf(b, "\n");
	}
}

/* Appends a line for a counter of a sparse image, such as `words 70..79 counters 0: state 2, to 5
 * roll, counts {1 4}, resets {3}`. The counter begins at w, which is word `at` of the device words,
 * and has the number `item`. Returns how many words the counter takes. */
static size_t sparse_counter(const uint32_t *w, size_t at, uint32_t item, struct buf *b)
{
	static const char *const what[] = { "counts", "resets" };
	size_t n = 3, end = 3 + 1 + w[3];

	end += 1 + w[end];
	buf_addf(b, "  words %zu..%zu counters %" PRIu32 ": state %" PRIu32 ", to %" PRIu32 " %s",
		 at, at + end - 1, item, w[0], w[1], counter_modes[w[2]]);
	for (int k = 0; k < 2; k++) {
		buf_addf(b, ", %s {", what[k]);
		for (uint32_t i = 0; i < w[n]; i++)
			buf_addf(b, "%s%" PRIu32, i != 0 ? " " : "", w[n + 1 + i]);
		buf_addf(b, "}");
		n += 1 + w[n];
	}
	buf_addf(b, "\n");
	return end;
}

/* How many words an item of each optional element has; 0: the element is no list of items of one
 * size, or no element of this class. */
static const uint8_t option_words[] = {
	[EL_letters] = 1, [EL_guards] = 2, [EL_tests] = 7, [EL_clock] = 2,
	[EL_key] = 3,     [EL_ranges] = 4, [EL_after] = 2,
};

/* Appends where a test of a header leads: `test 3`, or `letter 900`. */
static void follows(uint32_t to, struct buf *b)
{
	uint32_t letter = to & ~(uint32_t)IMAGE_LETTER;

	buf_addf(b, letter == to ? "test %" PRIu32 : "letter %" PRIu32, letter);
}

/* Appends the name of a code: its slot and its opcode. */
static void code_name(const struct nfart_proto *p, uint32_t code, struct buf *b)
{
	char name[80];

	proto_slot_name(p, code >> p->header.op_bits, name);
	buf_addf(b, "%s opcode %" PRIu32, name, code & ((1u << p->header.op_bits) - 1));
}

/* Appends what an item of an optional element says. Its words are at w. */
static void option(const struct nfart_image *im, enum element_id id, uint32_t item,
		   const uint32_t *w, struct buf *b)
{
	uint64_t first = w[0] | (uint64_t)w[id == EL_letters ? 0 : 1] << 32;

	switch (id) {
	case EL_letters:
		buf_addf(b, "letter %" PRIu32 " is of ", im->proto->codes.n + item);
		code_name(im->proto, w[0], b);
		break;
	case EL_guards:
		code_name(im->proto, w[0], b);
		buf_addf(b, " begins with test %" PRIu32, w[1]);
		break;
	case EL_tests:
		buf_addf(b, "header & 0x%" PRIx64 " %s 0x%" PRIx64 ": ", first,
			 w[4] != 0 ? "<=" : "==", w[2] | (uint64_t)w[3] << 32);
		follows(w[6], b);
		buf_addf(b, ", else ");
		follows(w[5], b);
		break;
	case EL_clock:
		buf_addf(b, "a tick every %" PRIu32 " cycles%s", w[0],
			 w[1] != 0 ? ", and the end" : "");
		break;
	case EL_key:
		code_name(im->proto, w[0], b);
		buf_addf(b, ": bits %" PRIu32 "..%" PRIu32, w[1], w[1] + w[2] - 1);
		break;
	case EL_ranges:
		buf_addf(b, "from 0x%" PRIx64 " count %" PRIu64, first,
			 w[2] | (uint64_t)w[3] << 32);
		break;
	default:
		buf_addf(b, "%" PRIu64, first);
		break;
	}
}

/* Appends a line for each item of an optional element. */
static void options(const struct nfart_image *im, const struct image_element *e, struct buf *b)
{
	const uint32_t *w = im->device.halves + e->at;
	size_t n = option_words[e->el->id];

	for (size_t i = 0; n != 0 && i + n <= e->n; i += n) {
		buf_addf(b, "  words %zu..%zu %s %zu: ", e->at + i, e->at + i + n - 1, e->el->name,
			 i / n);
		option(im, e->el->id, (uint32_t)(i / n), w + i, b);
		buf_addf(b, "\n");
	}
}

/* Appends a line for each item of one list of a sparse image: each state, predicate, label set or
 * counter, or the predecessors of each state. */
static void sparse(const struct nfart_image *im, const struct image_element *e, struct buf *b)
{
	const uint32_t *w = im->device.halves + e->at;
	uint32_t item = 0;

	for (size_t i = 0; i < e->n; item++) {
		bool states = e->el->id == EL_states;
		size_t head = e->el->id == EL_predicates ? 2 : 1, n;
		if (e->el->id == EL_counters) {
			i += sparse_counter(w + i, e->at + i, item, b);
			continue;
		}
		n = states ? 3 : head + w[i + head - 1];
		buf_addf(b, "  words %zu..%zu %s %" PRIu32, e->at + i, e->at + i + n - 1,
			 e->el->name, item);
		if (states)
			buf_addf(b, ": predicate %" PRId32 "%s%s%s%s, label set %" PRIu32 "\n",
				 (int32_t)w[i], (w[i + 1] & STATE_COUNTER) != 0 ? ", counter" : "",
				 (w[i + 1] & STATE_START) != 0 ? ", start" : "",
				 (w[i + 1] & STATE_ALWAYS) != 0 ? ", always" : "",
				 (w[i + 1] & STATE_LOG) != 0 ? ", log" : "", w[i + 2]);
		else {
			buf_addf(b, ":%s", head == 2 ? w[i] != 0 ? " None" : " Any" : "");
			for (size_t k = head; k < n; k++)
				buf_addf(b, " %" PRIu32, w[i + k]);
			buf_addf(b, "\n");
		}
		i += n;
	}
}

void explain_image(const struct nfart_image *im, struct buf *b)
{
	struct image_element e;
	size_t next = 0;

	buf_addf(b,
		 "image of %zu bytes, contract %d, hardware %016" PRIx64 ", names %016" PRIx64 "\n",
		 im->file.n, CONTRACT_VERSION, im->fp.hardware, im->fp.names);
	for (uint32_t i = 0; i < im->file.nsections; i++)
		for (size_t k = 0; k < nsections; k++)
			if ((uint32_t)sections[k].id == im->file.section[i].id)
				buf_addf(b, "section %s: %zu bytes at %zu, CRC %08" PRIx32 ": %s\n",
					 sections[k].name, im->file.section[i].n,
					 (size_t)(im->file.section[i].at - im->file.bytes),
					 im->file.section[i].crc, sections[k].text);
	for (uint32_t i = 0; i < im->nfa.nmachines; i++) {
		const struct image_machine *m = &im->nfa.machines[i];

		buf_addf(b, "machine %" PRIu32 ": states %" PRIu32 " to %" PRIu32 ", %" PRIu32
			 " counters, %" PRIu32 " transitions\n", i, m->first_state,
			 m->first_state + m->nstates - 1, m->ncounters, m->nmoves);
	}
	buf_addf(b,
		 "device: %zu words of %" PRIu32
		 " bits; below, words of 32 bits; bits count from the "
		 "first, lowest first\n",
		 im->device.n / (overlay_data(&im->overlay) / 32), overlay_data(&im->overlay));
	while (image_next_element(im, &next, &e) > 0) {
		buf_addf(b, "element %s: %zu words at %zu (header at %zu), %s, %s: %s\n",
			 e.el->name, e.n, e.at, e.at - 2, element_storages[e.el->storage],
			 element_encodings[e.el->encoding], e.el->text);
		if (e.el->storage == STORAGE_WRITES)
			writes(im, &e, b);
		else if (e.el->storage == STORAGE_ROWS)
			rows(im, &e, b);
		else if (e.el->storage == STORAGE_TABLES)
			tables(im, &e, b);
		else if (e.el->storage == STORAGE_OPTION)
			options(im, &e, b);
		else if (e.el->storage == STORAGE_SPARSE)
			sparse(im, &e, b);
		else if (e.el->id == EL_copies)
			copies(im, &e, b);
		else
			chain(im, &e, b);
	}
}
