/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * etm.h: the registers of the trace macrocell ETMv4, as values and as tables. contract/etm/etm.def
 * is their only description: a shift or an offset is taken from here and typed nowhere else.
 */
#ifndef NFACC_CONTRACT_ETM_H
#define NFACC_CONTRACT_ETM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The values of all registers: one member for each row ETM_REG, an array of its count. */
struct etm_regs {
#define ETM_REG(member, name, type, offset, stride, count, text) type member[count];
#include "contract/etm/etm.def"
};

/* Shift and width of each field: ETM_TRCSEQEVR_B_LSB, ETM_TRCSEQEVR_B_WIDTH. */
enum {
#define ETM_FIELD(name, field, lsb, width, text) \
	ETM_##name##_##field##_LSB = lsb, ETM_##name##_##field##_WIDTH = width,
#include "contract/etm/etm.def"
};

/* ETM_GROUP_EXTIN, … */
enum etm_group {
#define ETM_GROUP(constant, number, bits, text) ETM_GROUP_##constant = number,
#include "contract/etm/etm.def"
};

/* Limits of the architecture; a core may have less (targets/). */
enum { ETM_STATES = 4, ETM_COUNTERS = 4, ETM_SELECTORS = 32, ETM_EXTIN = 4, ETM_OUTPUTS = 4 };
/* An event field: bit 7 chooses a pair of selectors, the bits below it a selector or pair. */
enum { ETM_EVENT_PAIR = 0x80, ETM_EVENT_INDEX = 0x1f };
/* What opens the lock, written to TRCLAR. */
#define ETM_UNLOCK 0xc5acce55u

/* ETM_GET(TRCSEQEVR, B, value) reads a field; ETM_PUT(TRCSEQEVR, B, value) places a value, whose
 * bits beyond the field are cut off. */
#define ETM_MASK(name, field) ((1u << ETM_##name##_##field##_WIDTH) - 1)
#define ETM_GET(name, field, value) \
	((uint32_t)((value) >> ETM_##name##_##field##_LSB) & ETM_MASK(name, field))
#define ETM_PUT(name, field, value) \
	(((uint32_t)(value)&ETM_MASK(name, field)) << ETM_##name##_##field##_LSB)

/* A reading: how a trace unit behaves at four points. `zero` is settled for the shipped cores, by
 * Arm's reference manuals; no published text settles the others. What is common to all readings of
 * a cycle:
 *
 * 1. Counters settle in rising order. A counter whose reload event holds takes its reload value.
 *    Otherwise it counts, once, if its count event holds or if it is chained and the counter below
 *    it has just been reloaded, by its reload event or by itself. Only odd counters can be chained.
 *    A counter without RLDSELF stops at 0, and is "at zero" in a cycle if its value was 0 before
 *    the cycle. A counter with RLDSELF reloads itself when it has counted down, and is "at zero" in
 *    the cycle in which it does: a pulse.
 * 2. Events see the external inputs of the cycle, the state of the sequencer before the cycle,
 *    and the pulses of the cycle (see `delay`). An event of counter c sees a pulse of counter c, or
 *    of one above c, a cycle late in all readings, since that counter has not settled.
 * 3. The sequencer moves. Its reset event beats forward events, and those beat backward events. It
 *    moves several states in a cycle as long as the events of further steps hold.
 * 4. The external outputs, and the event of TRCVICTLR, are what they are after the cycle: they see
 *    the state and the levels after it, and the inputs and pulses that other events of the cycle
 *    see. So an output that looks at states alone is on after the cycle that leads to the state.
 */
struct etm_reading {
	/* The sequencer is in state 3, and events F and B of its last step both hold. false: it
	 * moves back, since state 3 has no step forward. true: it stays, since an event F blocks
	 * any step back that F would undo. (In general: in a cycle without a step forward, the step
	 * from n+1 to n is made if B of TRCSEQEVRn holds and, where this is true, F of TRCSEQEVRn
	 * does not.) */
	bool priority;
	/* A counter with RLDSELF counts down. false: it reloads itself, and pulses, when it counts
	 * while its value is 0; from one pulse to the next it counts its reload value plus 1 times.
	 * true: it does so when it counts to 0, that is, while its value is 1 (or 0, from where it
	 * cannot count down); from one pulse to the next it counts its reload value times. Arm's
	 * manuals say of RLDSELF that the counter reloads when it is zero and the event that counts
	 * is active, which is false (DDI 0500D, Cortex-A53, TRCCNTCTLR1; likewise Cortex-A35, A57,
	 * A76). */
	bool zero;
	/* When do selectors see a pulse? false: in the cycle of the pulse. true: in the cycle after
	 * it, which holds for all events of counters and sequencer and for outputs. Levels
	 * (counters without RLDSELF, states) and chained counters are not delayed further. */
	bool delay;
	/* A counter with RLDSELF would pulse, and its reload event holds in the same cycle. It is
	 * reloaded once. false: it does not pulse, since the reload event comes first. true: it
	 * pulses. */
	bool overlap;
};

enum { ETM_READINGS = 9, ETM_READING_NAME = 32 };

/* Reading i has `priority`, `zero`, `delay` and `overlap` as bits 0 to 3 of i. Reading 0 is
 * "default". The readings below ETM_READINGS are all of the first three points, and `overlap`
 * alone. */
struct etm_reading etm_reading_of(unsigned i);
unsigned etm_reading_number(struct etm_reading r);

/* Writes the name of reading i: "default", or the points that differ, as in "priority+delay". */
void etm_reading_name(unsigned i, char name[static ETM_READING_NAME]);

/* Finds a reading by its name (n bytes); the points may stand in any order. Returns its number, or
 * -1. */
int etm_reading_find(const char *name, size_t n);

/* One row ETM_REG: a register or an array of registers. */
struct etm_reg {
	const char *name;
	uint32_t offset, stride, count;
	size_t member; /* offset of the first value in struct etm_regs */
	size_t size;   /* bytes of a value: 4 or 8 */
	const char *text;
};

extern const struct etm_reg etm_reg_table[]; /* the last row has no name */

/* Finds a register by its name, such as TRCPRGCTLR or TRCSEQEVR2 (one of an array has its number
 * behind the name), and writes which one of the array it is to *index. NULL: there is none. */
const struct etm_reg *etm_reg_find(const char *name, size_t n, uint32_t *index);

/* Reads or writes the value of register `index` of the array `reg`. */
uint64_t etm_reg_get(const struct etm_regs *r, const struct etm_reg *reg, uint32_t index);
void etm_reg_set(struct etm_regs *r, const struct etm_reg *reg, uint32_t index, uint64_t value);

#endif
