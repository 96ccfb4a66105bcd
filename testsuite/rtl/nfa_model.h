/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * nfa_model.h: a model of nfacc_nfa, written in the obvious way, with random configurations and
 * batches. It makes a list of cycles: the engine's inputs, and the outputs that the engine must
 * have in the same cycle.
 */
#ifndef NFA_MODEL_H
#define NFA_MODEL_H
#include "nfa_shapes.h"
#include <cstdint>
#include <deque>
#include <random>

/* One cycle at an engine's ports. The enum below has the places of the ports in `in`. */
struct cycle {
	uint32_t in[16] = {0};  /* the inputs, 512 bits */
	uint32_t out[4] = {0};  /* the outputs, 128 bits */
	/* The outputs must be `out`. At the beginning they are unknown, and nothing is checked. */
	bool checked = false;

	void put(int at, int width, uint64_t value)
	{
		for (int i = 0; i < width; i++)
			if (value >> i & 1)
				in[(at + i) / 32] |= 1u << (at + i) % 32;
	}
};

enum { RST = 0, VALID = 1, RESTART = 2, CLEAR = 3, ROW_WE = 4, CODE = 5, LANE = 16, SHIFT = 32 - 1,
	DATA = 64, PRESENT = 128, OPCODE = 192, LINE = 352 };

struct model {
	const struct shape &s;
	std::mt19937 random;
	std::vector<cycle> cycles;
	struct {
		/* [predicate][code]: the predicate names the code */
		std::vector<std::vector<bool>> names;
		std::vector<bool> none, start, always, log;
		std::vector<int> select;
		/* counts[STE][neighbour]: the neighbouring node is a predecessor of the STE. */
		std::vector<std::vector<bool>> counts;
		/* [label][node]: the node carries the label */
		std::vector<std::vector<bool>> label;
		/* counted[counter][neighbour]: the neighbour makes the counter count.
		 * resets[counter][neighbour]: the neighbour resets the counter. */
		std::vector<std::vector<bool>> counted, resets;
		std::vector<uint32_t> end;            /* [counter]: the threshold K */
		std::vector<int> mode;                /* [counter]: pulse, latch or roll */
	} config;
	std::vector<std::vector<bool>> state;  /* [line][node]: the node is active */
	std::vector<std::vector<uint32_t>> count; /* [line][counter]: the count */
	std::deque<cycle> inside; /* outputs of batches that are still in the pipeline */

	model(const struct shape &shape, uint32_t seed) : s(shape), random(seed) {}

	int draw(int n) { return (int)(random() % (unsigned)n); }
	std::vector<bool> bits(int n, int percent)
	{
		std::vector<bool> v(n);
		for (int i = 0; i < n; i++)
			v[i] = draw(100) < percent;
		return v;
	}

	/* Adds a cycle in which the engine gets the inputs of c. If c is a batch, log_out and
	 * labels_out are its outputs, which come after the latency. */
	void step(cycle c, bool log_out = false, uint64_t labels_out = 0)
	{
		cycle after;

		after.out[0] = (c.in[0] >> VALID & 1) | (c.in[0] >> RESTART & 1) << 1 |
			(uint32_t)log_out << 2;
		after.out[2] = (uint32_t)labels_out;
		after.out[3] = (uint32_t)(labels_out >> 32);
		inside.push_back(after);
		if ((int)inside.size() > s.latency()) {
			for (int i = 0; i < 4; i++)
				c.out[i] = inside.front().out[i];
			c.checked = true;
			inside.pop_front();
		}
		cycles.push_back(c);
	}
	void word(int id, uint64_t data)
	{
		cycle c;
		if (draw(8) == 0) { /* a cycle without a word, with other data on the bus */
			c.put(DATA, s.data, random());
			step(c);
			c = cycle();
		}
		c.put(SHIFT + id, 1, 1);
		c.put(DATA, s.data, data);
		step(c);
	}

	void load_chain(int id, const std::vector<bool> &v)
	{
		for (size_t at = 0; at < v.size(); at += s.data) {
			uint64_t data = 0;
			for (size_t i = 0; i < (size_t)s.data && at + i < v.size(); i++)
				data |= (uint64_t)v[at + i] << i;
			word(id, data);
		}
	}
	void load_tables(int id, const std::vector<uint32_t> &v)
	{
		for (size_t at = 0; at < v.size(); at += s.data)
			for (int k = 0; k < 32; k++) {
				uint64_t data = 0;
				for (size_t i = 0; i < (size_t)s.data && at + i < v.size(); i++)
					data |= (uint64_t)(v[at + i] >> (31 - k) & 1) << i;
				word(id, data);
			}
	}
	/* Makes a truth table for every five flags of v, and appends the tables to `tables`. A
	 * table is the OR over the inputs whose flags are set. */
	static void or_tables(std::vector<uint32_t> &tables, const std::vector<bool> &v)
	{
		for (size_t at = 0; at < v.size(); at += 5) {
			uint32_t table = 0;
			for (uint32_t k = 0; k < 32; k++)
				for (size_t i = 0; i < 5 && at + i < v.size(); i++)
					if (v[at + i] && k >> i & 1)
						table |= 1u << k;
			tables.push_back(table);
		}
	}

	void load_rows()
	{
		for (int op = 0; op < s.opcodes(); op++) {
			cycle c;
			c.put(CLEAR, 1, 1);
			c.put(CODE, 11, op);
			c.put(DATA, s.data, random());
			step(c);
		}
		for (int code = 0; code < s.nrow(); code++) {
			bool empty = true;
			for (int w = 0; w < s.width(); w++)
				empty = empty && !config.names[w][code];
			for (int lane = 0; !empty && lane < s.row_words(); lane++) {
				uint64_t data = 0;
				cycle c;
				for (int i = 0; i < s.data && lane * s.data + i < s.width(); i++)
					data |= (uint64_t)config.names[lane * s.data + i][code]
						<< i;
				c.put(ROW_WE, 1, 1);
				c.put(CODE, 11, code);
				c.put(LANE, 16, lane);
				c.put(DATA, s.data, data);
				step(c);
			}
		}
	}

	void configure()
	{
		std::vector<uint32_t> decode, pred, labels, logs;
		std::vector<bool> masks, selects;

		config.names.clear();
		config.counts.clear();
		config.label.clear();
		config.select.clear();
		for (int w = 0; w < s.width(); w++)
			config.names.push_back(bits(s.nrow(), 40 / s.slots + draw(20)));
		config.none = bits(s.width(), 20);
		config.start = bits(s.nste(), 50);
		config.always = bits(s.nste(), 20);
		config.log = bits(s.nall(), 10 + 100 / s.nall());
		for (int i = 0; i < s.nste(); i++) {
			config.counts.push_back(bits(s.npred(), 10 + 150 / (s.npred() + 2)));
			config.select.push_back(draw(s.bank));
			for (int b = 0; b < s.select_bits(); b++)
				selects.push_back(config.select[i] >> b & 1);
			for (int p = 0; p < s.npred(); p++)
				masks.push_back(config.counts[i][p]);
			or_tables(pred, config.counts[i]);
			if (config.always[i])
				pred[pred.size() - s.npredlut()] = 0xffffffff;
			for (int slot = 0; s.decoder == STE && slot < s.slots; slot++)
				for (int k = 0; k < s.ntable(); k++) {
					uint32_t table = 0;
					for (int op = 0; op < 32 && op < s.opcodes(); op++)
						if (config.names[i]
								[slot * s.opcodes() + k * 32 + op])
							table |= 1u << op;
					decode.push_back(table);
				}
		}
		for (int l = 0; l < s.labels; l++) {
			config.label.push_back(bits(s.nall(), 10 + 100 / s.nall()));
			or_tables(labels, config.label[l]);
		}
		or_tables(logs, config.log);

		if (s.decoder == STE)
			load_tables(2, decode);
		else
			load_rows();
		if (s.decoder == BANK)
			load_chain(4, selects);
		load_chain(s.decoder == BANK ? 6 : 5, config.none);
		if (s.predecessors)
			load_tables(8, pred);
		else
			load_chain(7, masks);
		load_chain(9, config.start);
		if (!s.predecessors)
			load_chain(10, config.always);
		load_tables(11, labels);
		load_tables(12, logs);
		if (s.counters)
			configure_counters();
	}

	/* Configures the counters. Some configurations name a counter as a neighbour. It neither
	 * makes another counter count nor resets one. */
	void configure_counters()
	{
		std::vector<uint32_t> count_lut, reset_lut;
		std::vector<bool> count_mask, reset_mask, threshold, modes;

		config.counted.clear();
		config.resets.clear();
		config.end.clear();
		config.mode.clear();
		for (int k = 0; k < s.ncounters(); k++) {
			uint32_t most = s.counter_width < 3 ? (1u << s.counter_width) - 1 : 6;
			config.counted.push_back(bits(s.npred(), 10 + 150 / (s.npred() + 2)));
			config.resets.push_back(
				bits(s.npred(), draw(3) == 0 ? 0 : 5 + 50 / (s.npred() + 2)));
			/* A threshold of 0 means that the counter is not used. */
			config.end.push_back((uint32_t)draw((int)most + 1));
			config.mode.push_back(draw(3));
			or_tables(count_lut, config.counted[k]);
			or_tables(reset_lut, config.resets[k]);
			count_mask.insert(count_mask.end(), config.counted[k].begin(),
					  config.counted[k].end());
			reset_mask.insert(reset_mask.end(), config.resets[k].begin(),
					  config.resets[k].end());
			for (int b = 0; b < s.counter_width; b++)
				threshold.push_back(config.end[k] >> b & 1);
			modes.push_back(config.mode[k] & 1);
			modes.push_back(config.mode[k] >> 1 & 1);
		}
		if (s.predecessors) {
			load_tables(22, count_lut);
			load_tables(24, reset_lut);
		} else {
			load_chain(21, count_mask);
			load_chain(23, reset_mask);
		}
		load_chain(25, threshold);
		load_chain(26, modes);
	}

	void restart()
	{
		cycle c;
		c.put(RESTART, 1, 1);
		noise(c);
		state.assign(s.lines, config.start);
		for (std::vector<bool> &v : state)
			v.resize(s.nall(), false);
		count.assign(s.lines, std::vector<uint32_t>(s.ncounters(), 0));
		step(c);
	}
	/* Gives random values to those inputs of c that the engine must ignore in this cycle. */
	void noise(cycle &c)
	{
		for (int slot = 0; slot < s.slots; slot++) {
			c.put(PRESENT + slot, 1, draw(2));
			c.put(OPCODE + slot * s.op_bits, s.op_bits, random());
			c.put(LINE + slot * s.line_bits(), s.line_bits(), random());
		}
	}

	void batch(int percent)
	{
		cycle c;
		std::vector<int> opcode(s.slots), line(s.slots, -1);
		std::vector<std::vector<bool>> before = state;
		bool log_out = false;
		uint64_t labels_out = 0;

		c.put(VALID, 1, 1);
		for (int slot = 0; slot < s.slots; slot++) {
			opcode[slot] = draw(s.opcodes());
			if (draw(100) < percent && opcode[slot] != s.idle)
				line[slot] = draw(s.lines);
			c.put(PRESENT + slot, 1, line[slot] >= 0);
			c.put(OPCODE + slot * s.op_bits, s.op_bits, opcode[slot]);
			c.put(LINE + slot * s.line_bits(), s.line_bits(),
				line[slot] >= 0 ? (uint32_t)line[slot] : random());
		}
		for (int j = 0; j < s.lines; j++) {
			bool any = false;
			for (int slot = 0; slot < s.slots; slot++)
				any = any || line[slot] == j;
			if (!any)
				continue;
			for (int i = 0; i < s.nste(); i++) {
				int w = s.decoder == BANK ? config.select[i] : i;
				bool match = false, reached = config.always[i];
				for (int slot = 0; slot < s.slots; slot++)
					match = match || (line[slot] == j &&
						config.names[w][slot * s.opcodes() + opcode[slot]]);
				for (int p = 0; p < s.npred(); p++)
					reached = reached || (config.counts[i][p] &&
						before[j][s.neighbour(i / s.clique, p)]);
				state[j][i] = match != config.none[w] && reached;
			}
			step_counters(j);
			for (int i = 0; i < s.nall(); i++) {
				log_out = log_out || (state[j][i] && config.log[i]);
				for (int l = 0; l < s.labels; l++)
					if (state[j][i] && config.label[l][i])
						labels_out |= (uint64_t)1 << l;
			}
		}
		step(c, log_out, labels_out);
	}

	/* Steps the counters of line j by the rule of nfacc-filter(5), section Counters. */
	void step_counters(int j)
	{
		for (int k = 0; k < s.ncounters(); k++) {
			uint32_t &n = count[j][k];
			bool up = false, reset = false, reached;
			for (int p = 0; p < s.npred(); p++) {
				int from = s.neighbour(k / s.counters, p);
				up = up ||
				     (from < s.nste() && state[j][from] && config.counted[k][p]);
				reset = reset ||
					(from < s.nste() && state[j][from] && config.resets[k][p]);
			}
			reached = !reset && up && n < config.end[k] && n + 1 == config.end[k];
			n = reset ? 0 : n + (up && n < config.end[k]);
			state[j][s.nste() + k] = config.mode[k] == 1
							 ? config.end[k] != 0 && n == config.end[k]
							 : reached;
			if (config.mode[k] == 2 && reached)
				n = 0;
		}
	}

	void gap()
	{
		cycle c;
		noise(c);
		step(c);
	}

	/* Makes the cycles of `images` configurations, each with `batches` batches. */
	void run(int images, int batches)
	{
		cycle reset;
		reset.put(RST, 1, 1);
		for (int i = 0; i < 10; i++) {
			cycles.push_back(reset);
			if ((int)inside.size() < s.latency())
				inside.push_back(cycle());
		}
		for (int image = 0; image < images; image++) {
			configure();
			restart();
			for (int i = 0; i < batches; i++) {
				if (draw(5) == 0)
					gap();
				if (draw(30) == 0)
					restart();
				batch(draw(4) == 0 ? 0 : 100 / (s.slots + 1) + draw(40));
			}
			for (int i = 0; i < s.latency(); i++)
				gap();
		}
	}
};
#endif
