// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Made from contract/contract.def by contract/gen/gencontract.c; `make check` compares. Do not edit.
`ifndef NFACC_CONTRACT_VH
`define NFACC_CONTRACT_VH
`define NFACC_CONTRACT_VERSION 32'd3
`define NFACC_ID 32'h6e666163

// Configuration elements: id in the configuration words.
`define NFACC_EL_MATCH 1 // row memory, per row (slot and letter): bit s: the predicate of STE s names this slot and opcode
`define NFACC_EL_DECODE 2 // truth tables, per STE and slot: bit k: the predicate names opcode k in this slot
`define NFACC_EL_BANK 3 // row memory, per row (slot and letter): bit k: shared decoder k names this slot and opcode
`define NFACC_EL_SELECT 4 // chain, per STE: the shared decoder this STE listens to
`define NFACC_EL_NONE 5 // chain, per STE: the predicate's mode is None: the complement of Any
`define NFACC_EL_BANK_NONE 6 // chain, per shared decoder: the shared decoder's mode is None
`define NFACC_EL_PRED_MASK 7 // chain, per STE: bit i: predecessor i is one in the NFA
`define NFACC_EL_PRED_LUT 8 // truth tables, per STE: per five predecessors the OR over those that count; an always state has all ones in the first
`define NFACC_EL_START 9 // chain, per STE: active before the first batch
`define NFACC_EL_ALWAYS 10 // chain, per STE: a predecessor counts as active before every batch
`define NFACC_EL_LABEL 11 // truth tables, per label and five nodes: per label and five nodes the OR over those that accept with it
`define NFACC_EL_LOG 12 // truth tables, per five nodes: per five nodes the OR over those that log
`define NFACC_EL_GUARD 13 // truth tables, per slot and mask test: table k: header bits from 5k on; the test passes if every table says 1
`define NFACC_EL_RANGE 14 // truth tables, per slot and range test: tables 2k and 2k + 1: header bits from 4k on; entries from 0: they are those of the last (first) value, entries from 16: they are above (below) them; where the highest difference is says whether the header is above (below)
`define NFACC_EL_RECODE 15 // list of writes, once: writes to the recoding memory, which is 0 before them: the letter XOR the opcode, and from bit RECODE_ADDRESS on the address: slot, results of payload tests, of range tests, of mask tests, opcode
`define NFACC_EL_BY_LINE 16 // register, once: 1: substreams, one copy for each line
`define NFACC_EL_BASE 17 // register, once: index of the first line observed
`define NFACC_EL_COUNT 18 // register, once: lines observed
`define NFACC_EL_WINDOW_SIZE 19 // register, once: the window, in batches
`define NFACC_EL_LIMIT 20 // register, once: stop after so many batches; 0: never
`define NFACC_EL_COUNT_MASK 21 // chain, per counter: bit i: neighbour i, an STE, makes the counter count when it is active after a batch
`define NFACC_EL_COUNT_LUT 22 // truth tables, per counter: per five neighbours the OR over the STEs that make the counter count
`define NFACC_EL_RESET_MASK 23 // chain, per counter: bit i: neighbour i, an STE, resets the counter
`define NFACC_EL_RESET_LUT 24 // truth tables, per counter: per five neighbours the OR over the STEs that reset the counter
`define NFACC_EL_THRESHOLD 25 // chain, per counter: K, where the count ends; 0: the counter is not used
`define NFACC_EL_COUNTER_MODE 26 // chain, per counter: pulse (0), latch (1), roll (2)
`define NFACC_EL_TICK 27 // register, once: cycles between two ticks, below 2^32; 0: there are none
`define NFACC_EL_END 28 // register, once: 1: the stream ends with a batch of the end
`define NFACC_EL_WINDOW_AFTER 29 // register, once: batches of the window after an accepted batch; element window_size is for those before it
`define NFACC_EL_COPIES 30 // chain, once: with keys yes the key's lowest bit in the header and its number of bits less one, 6 bits each; then per range of substreams after the first: its first line or value (64 bits), how many (line_bits + 1 bits), the number of its first copy (line_bits bits)
`define NFACC_EL_KEYED 31 // truth tables, per slot: bit k: messages with opcode k have the key
`define NFACC_EL_PAYLOAD_TEST 44 // truth tables, per slot and payload test: 32 tables for each word of the payload, each word's like those of a range test of a header of 64 bits; the test passes if that of every word does
`define NFACC_ELEMENT_BITS 6 // bits of an id
`define NFACC_DEVICE_IDS 44:1 // from the highest id to the lowest
`define NFACC_REGISTER_IDS 29:16 // of those that are registers

// Values of overlay parameters.
`define NFACC_DECODER_ROWS 0 // a memory has a row for each slot and opcode, with a bit for each STE
`define NFACC_DECODER_STE 1 // each STE has a table
`define NFACC_DECODER_BANK 2 // STEs choose from shared decoders, so a filter has at most that many different predicates
`define NFACC_PREDECESSORS_MASK 0 // by a bit for each
`define NFACC_PREDECESSORS_LUT5 1 // by a truth table for every five
`define NFACC_SHADOW_NO 0 // the engine stops for a new image
`define NFACC_SHADOW_YES 1 // a swap loses no batch
`define NFACC_DATA_32 32 // an AXI4-Lite bus of 32 bits
`define NFACC_DATA_64 64 // an AXI4-Lite bus of 64 bits
`define NFACC_MEMORY_LUT 0 // in LUT RAM
`define NFACC_MEMORY_BLOCK 1 // in block RAM
`define NFACC_TIME_NO 0 // they don't
`define NFACC_TIME_YES 1 // every batch fills one slot more, which says what its time is
`define NFACC_WINDOW_AFTER_SAME 0 // as many as before it
`define NFACC_WINDOW_AFTER_OWN 1 // a number of their own, at most that of window
`define NFACC_KEYS_NO 0 // lines
`define NFACC_KEYS_YES 1 // lines, or the values of a field that has one place in all headers
`define NFACC_BROADCAST_NO 0 // none of them does
`define NFACC_BROADCAST_YES 1 // all of them do
`define NFACC_STATE_COPIES 0 // each line has a copy of the NFA
`define NFACC_STATE_MEMORY 1 // one NFA serves all lines, one after the other, with their states in a memory
`define NFACC_COUNTS_NO 0 // there are no such registers
`define NFACC_COUNTS_YES 1 // they are read while the engine runs
`define NFACC_JOINS_NO 0 // such answers are for no substream
`define NFACC_JOINS_YES 1 // the protocol's joins say which request an answer has
`define NFACC_LABEL_SWAP_NO 0 // only a command does
`define NFACC_LABEL_SWAP_YES 1 // the batch after the first one that the label accepts is the first of the new image

// For elaboration checks: the parameter of this name has one of its values; PARAMETERS: all have.
`define NFACC_GOOD_CLIQUE (CLIQUE >= 1 && CLIQUE <= 4096)
`define NFACC_GOOD_LENGTH (LENGTH >= 1 && LENGTH <= 65536)
`define NFACC_GOOD_RINGS (RINGS >= 1 && RINGS <= 65536)
`define NFACC_GOOD_REACH (REACH >= 0 && REACH <= 65535)
`define NFACC_GOOD_DECODER (DECODER == 0 || DECODER == 1 || DECODER == 2)
`define NFACC_GOOD_BANK (BANK >= 1 && BANK <= 4096)
`define NFACC_GOOD_PREDECESSORS (PREDECESSORS == 0 || PREDECESSORS == 1)
`define NFACC_GOOD_LINES (LINES >= 1 && LINES <= 65536)
`define NFACC_GOOD_LABELS (LABELS >= 1 && LABELS <= 64)
`define NFACC_GOOD_WINDOW (WINDOW >= 0 && WINDOW <= 65536)
`define NFACC_GOOD_COUNTERS (COUNTERS >= 0 && COUNTERS <= 64)
`define NFACC_GOOD_COUNTER_WIDTH (COUNTER_WIDTH >= 1 && COUNTER_WIDTH <= 32)
`define NFACC_GOOD_SHADOW (SHADOW == 0 || SHADOW == 1)
`define NFACC_GOOD_DATA (DATA == 32 || DATA == 64)
`define NFACC_GOOD_MEMORY (MEMORY == 0 || MEMORY == 1)
`define NFACC_GOOD_GUARDS (GUARDS >= 0 && GUARDS <= 16)
`define NFACC_GOOD_RANGES (RANGES >= 0 && RANGES <= 8)
`define NFACC_GOOD_LETTER_BITS (LETTER_BITS >= 0 && LETTER_BITS <= 9)
`define NFACC_GOOD_TIME (TIME == 0 || TIME == 1)
`define NFACC_GOOD_WINDOW_AFTER (WINDOW_AFTER == 0 || WINDOW_AFTER == 1)
`define NFACC_GOOD_KEY_RANGES (KEY_RANGES >= 1 && KEY_RANGES <= 64)
`define NFACC_GOOD_KEYS (KEYS == 0 || KEYS == 1)
`define NFACC_GOOD_BROADCAST (BROADCAST == 0 || BROADCAST == 1)
`define NFACC_GOOD_STATE (STATE == 0 || STATE == 1)
`define NFACC_GOOD_NAMES (NAMES >= 0 && NAMES <= 4)
`define NFACC_GOOD_COUNTS (COUNTS == 0 || COUNTS == 1)
`define NFACC_GOOD_JOINS (JOINS == 0 || JOINS == 1)
`define NFACC_GOOD_LABEL_SWAP (LABEL_SWAP == 0 || LABEL_SWAP == 1)
`define NFACC_GOOD_HISTOGRAM (HISTOGRAM >= 0 && HISTOGRAM <= 12)
`define NFACC_GOOD_PAYLOAD (PAYLOAD >= 0 && PAYLOAD <= 512)
`define NFACC_GOOD_PAYLOAD_TESTS (PAYLOAD_TESTS >= 0 && PAYLOAD_TESTS <= 8)
`define NFACC_GOOD_BANKS (BANKS >= 1 && BANKS <= 2)
`define NFACC_GOOD_SLOTS (SLOTS >= 1 && SLOTS <= 64)
`define NFACC_GOOD_OP_BITS (OP_BITS >= 1 && OP_BITS <= 8)
`define NFACC_GOOD_OP_LSB (OP_LSB >= 0 && OP_LSB <= 63)
`define NFACC_GOOD_HEADER_BITS (HEADER_BITS >= 1 && HEADER_BITS <= 64)
`define NFACC_GOOD_ADDR_LSB (ADDR_LSB >= 0 && ADDR_LSB <= 63)
`define NFACC_GOOD_ADDR_BITS (ADDR_BITS >= 0 && ADDR_BITS <= 56)
`define NFACC_GOOD_PARAMETERS (`NFACC_GOOD_CLIQUE && `NFACC_GOOD_LENGTH && `NFACC_GOOD_RINGS && `NFACC_GOOD_REACH && `NFACC_GOOD_DECODER && `NFACC_GOOD_BANK && `NFACC_GOOD_PREDECESSORS && `NFACC_GOOD_LINES && `NFACC_GOOD_LABELS && `NFACC_GOOD_WINDOW && `NFACC_GOOD_COUNTERS && `NFACC_GOOD_COUNTER_WIDTH && `NFACC_GOOD_SHADOW && `NFACC_GOOD_DATA && `NFACC_GOOD_MEMORY && `NFACC_GOOD_GUARDS && `NFACC_GOOD_RANGES && `NFACC_GOOD_LETTER_BITS && `NFACC_GOOD_TIME && `NFACC_GOOD_WINDOW_AFTER && `NFACC_GOOD_KEY_RANGES && `NFACC_GOOD_KEYS && `NFACC_GOOD_BROADCAST && `NFACC_GOOD_STATE && `NFACC_GOOD_NAMES && `NFACC_GOOD_COUNTS && `NFACC_GOOD_JOINS && `NFACC_GOOD_LABEL_SWAP && `NFACC_GOOD_HISTOGRAM && `NFACC_GOOD_PAYLOAD && `NFACC_GOOD_PAYLOAD_TESTS && `NFACC_GOOD_BANKS && `NFACC_GOOD_SLOTS && `NFACC_GOOD_OP_BITS && `NFACC_GOOD_OP_LSB && `NFACC_GOOD_HEADER_BITS && `NFACC_GOOD_ADDR_LSB && `NFACC_GOOD_ADDR_BITS)

// Limits.
`define NFACC_MOST_STES 1048576 // an overlay has at most 1048576 STEs
`define NFACC_MOST_COUNTERS 1048576 // an overlay has at most 1048576 counters
`define NFACC_MOST_PREDECESSORS 1048576 // an STE has at most 1048576 predecessors
`define NFACC_MOST_BITS 1073741824 // an element of the configuration has at most 1073741824 bits
`define NFACC_MOST_ROWS 16384 // an engine has at most 16384 rows (slots times letters)
`define NFACC_MOST_RECODE 12 // a slot's recoding memory has at most 12 address bits (bits of an opcode plus tests)
`define NFACC_RECODE_ADDRESS 10 // lowest bit of the address in a word of recode

// Modes of a counter.
`define NFACC_COUNTER_MODE_PULSE 2'd0 // active after the batch in which its count reaches K
`define NFACC_COUNTER_MODE_LATCH 2'd1 // active as long as its count is K
`define NFACC_COUNTER_MODE_ROLL 2'd2 // active like pulse, and its count is then 0 again

// Registers: byte offset. Fields: lowest bit, width.
`define NFACC_REG_ID 12'h000 // RO: 0x6e666163
`define NFACC_REG_VERSION 12'h004 // RO: version of the contract
`define NFACC_REG_FINGERPRINT_LO 12'h008 // RO: hardware fingerprint, low half
`define NFACC_REG_FINGERPRINT_HI 12'h00c // RO: hardware fingerprint, high half
`define NFACC_REG_CONTROL 12'h010 // WO: one command a write, a bit each; one that can't be followed now sets STATUS.refused
`define NFACC_REG_ENABLE 12'h014 // RW: bit 0: batches are taken while armed, else they count as unseen; 1 after power-up and reset
`define NFACC_REG_STATUS 12'h018 // RO: what the engine does
`define NFACC_REG_IDLE_AFTER 12'h01c // RW: cycles without a batch after which STATUS.idle is set; 0: never
`define NFACC_REG_CONFIG 12'h020 // WO: configuration words, one a write; with data 64 the low half
`define NFACC_REG_CONFIG_HI 12'h024 // WO: with data 64 the high half; writing it hands the word on
`define NFACC_REG_WORDS 12'h028 // RO: configuration words taken since begin
`define NFACC_REG_PACKETS_LO 12'h030 // RO: batches output since arm or swap
`define NFACC_REG_PACKETS_HI 12'h034 // RO: high half
`define NFACC_REG_DROPPED_LO 12'h038 // RO: messages in batches lost because the output, or the NFA's queue, was full, since arm
`define NFACC_REG_DROPPED_HI 12'h03c // RO: high half
`define NFACC_REG_UNSEEN_LO 12'h040 // RO: batches that came while not armed or not enabled, since reset
`define NFACC_REG_UNSEEN_HI 12'h044 // RO: high half
`define NFACC_REG_BATCHES_LO 12'h048 // RO: batches given to the NFA since arm or swap
`define NFACC_REG_BATCHES_HI 12'h04c // RO: high half
`define NFACC_REG_STOPPED_LO 12'h050 // RO: time: when the last stop took effect, which is the stream's last time
`define NFACC_REG_STOPPED_HI 12'h054 // RO: high half
`define NFACC_REG_TICKS_LOST_LO 12'h058 // RO: time: ticks lost because the time jumped, since arm
`define NFACC_REG_TICKS_LOST_HI 12'h05c // RO: high half
`define NFACC_REG_BY_LINE 12'h060 // RW: element by_line
`define NFACC_REG_BASE_LO 12'h068 // RW: element base
`define NFACC_REG_BASE_HI 12'h06c // RW: high half
`define NFACC_REG_COUNT_LO 12'h070 // RW: element count
`define NFACC_REG_COUNT_HI 12'h074 // RW: high half
`define NFACC_REG_WINDOW_LO 12'h078 // RW: element window_size
`define NFACC_REG_WINDOW_HI 12'h07c // RW: high half
`define NFACC_REG_LIMIT_LO 12'h080 // RW: element limit
`define NFACC_REG_LIMIT_HI 12'h084 // RW: high half
`define NFACC_REG_TICK 12'h088 // RW: time: element tick
`define NFACC_REG_END 12'h08c // RW: time: element end
`define NFACC_REG_WINDOW_AFTER_LO 12'h090 // RW: window_after own: element window_after
`define NFACC_REG_WINDOW_AFTER_HI 12'h094 // RW: high half
`define NFACC_REG_LABEL 12'h0b0 // RW: counts: the label that ACCEPTED is for; 0 after power-up and reset
`define NFACC_REG_ACCEPTED_LO 12'h0b8 // RO: counts: batches that the label accepted since arm or swap, up to the limit, lost ones too
`define NFACC_REG_ACCEPTED_HI 12'h0bc // RO: high half
`define NFACC_REG_SWAP_ON_LO 12'h0c0 // RW: label_swap: bit l: the first batch that label l accepts swaps in the image that is staged; a swap that begins clears them, and so does reset
`define NFACC_REG_SWAP_ON_HI 12'h0c4 // RW: high half
`define NFACC_REG_HISTOGRAM 12'h0c8 // RW: histogram: what the bins are for, batches that are accepted within the limit, lost ones too; it can be written when the registers of elements can, and STATUS.busy is 0; 0 after power-up
`define NFACC_REG_HISTOGRAM_TABLE 12'h0cc // WO: histogram: messages of which slots and opcodes have the field, in the words that element keyed has with data 32; written as HISTOGRAM
`define NFACC_REG_BIN 12'h0d0 // RW: histogram: the bin that BINNED is for; 0 after power-up and reset
`define NFACC_REG_BINNED_LO 12'h0d8 // RO: histogram: batches in the bin since arm or swap
`define NFACC_REG_BINNED_HI 12'h0dc // RO: high half
`define NFACC_REG_JOIN_LATE 12'h0f0 // RO: joins: answers that came after their request was answered, since arm; stays at its highest value
`define NFACC_REG_JOIN_WRONG 12'h0f4 // RO: joins: answers that came without a request, since arm; stays at its highest value
`define NFACC_REG_RING_CONTROL 12'h800 // RW: ring: what it does; refused (SLVERR) with wrap and wait, and for `on` while STATUS.busy or with a ring that can't be
`define NFACC_REG_RING_STATUS 12'h804 // RO: ring: its state
`define NFACC_REG_RING_RUN 12'h808 // RW: ring: number of the run, 24 bits, which all beats carry; another one than in what the memory has. It, base and size can be written while neither on nor busy
`define NFACC_REG_RING_BASE_LO 12'h810 // RW: ring: its first address, a multiple of 4096
`define NFACC_REG_RING_BASE_HI 12'h814 // RW: high half
`define NFACC_REG_RING_SIZE_LO 12'h818 // RW: ring: its bytes, a multiple of 4096, 2^38 at most
`define NFACC_REG_RING_SIZE_HI 12'h81c // RW: high half
`define NFACC_REG_RING_READ_LO 12'h820 // RW: ring: beats that were read since the start; takes effect when the high half is written
`define NFACC_REG_RING_READ_HI 12'h824 // RW: high half
`define NFACC_REG_RING_WRITTEN_LO 12'h828 // RO: ring: beats of 64 bytes in memory since the start
`define NFACC_REG_RING_WRITTEN_HI 12'h82c // RO: high half
`define NFACC_REG_RING_RECORDS_LO 12'h830 // RO: ring: records in memory since the start
`define NFACC_REG_RING_RECORDS_HI 12'h834 // RO: high half
`define NFACC_REG_RING_LOST_LO 12'h838 // RO: ring: records that came since the start and are not in memory: it was full, or the bus had an error
`define NFACC_REG_RING_LOST_HI 12'h83c // RO: high half
`define NFACC_CONTROL_BEGIN_LSB 0 // begins an image, discards earlier words; without shadow only while not armed
`define NFACC_CONTROL_BEGIN_WIDTH 1
`define NFACC_CONTROL_ARM_LSB 1 // start states, empty window, counts 0; only with a good image and not armed
`define NFACC_CONTROL_ARM_WIDTH 1
`define NFACC_CONTROL_STOP_LSB 2 // end of the stream: the window is decided, then STATUS.done
`define NFACC_CONTROL_STOP_WIDTH 1
`define NFACC_CONTROL_RESET_LSB 3 // everything but the configuration as after power-up; what is buffered is gone, a record that has begun is completed
`define NFACC_CONTROL_RESET_WIDTH 1
`define NFACC_CONTROL_SWAP_LSB 4 // shadow: the image that was loaded takes over before the next batch
`define NFACC_CONTROL_SWAP_WIDTH 1
`define NFACC_CONTROL_RESTART_LSB 5 // every copy back to its start states before the next batch; window and counts go on
`define NFACC_CONTROL_RESTART_WIDTH 1
`define NFACC_STATUS_ARMED_LSB 0 // armed, and neither stopped, at its limit nor reset since
`define NFACC_STATUS_ARMED_WIDTH 1
`define NFACC_STATUS_DONE_LSB 1 // stopped or limit reached, and every record has left
`define NFACC_STATUS_DONE_WIDTH 1
`define NFACC_STATUS_DRAINING_LSB 2 // stopped or limit reached, records still leave
`define NFACC_STATUS_DRAINING_WIDTH 1
`define NFACC_STATUS_OVERFLOW_LSB 3 // some output was lost since arm
`define NFACC_STATUS_OVERFLOW_WIDTH 1
`define NFACC_STATUS_IDLE_LSB 4 // no batch for IDLE_AFTER cycles
`define NFACC_STATUS_IDLE_WIDTH 1
`define NFACC_STATUS_LOADING_LSB 5 // between begin and the end of an image
`define NFACC_STATUS_LOADING_WIDTH 1
`define NFACC_STATUS_LOADED_LSB 6 // the engine holds a good image
`define NFACC_STATUS_LOADED_WIDTH 1
`define NFACC_STATUS_STAGED_LSB 7 // shadow: a good image waits for swap
`define NFACC_STATUS_STAGED_WIDTH 1
`define NFACC_STATUS_SWAPPING_LSB 8 // shadow: a swap is under way
`define NFACC_STATUS_SWAPPING_WIDTH 1
`define NFACC_STATUS_REFUSED_LSB 9 // a command was refused; the next accepted command clears it
`define NFACC_STATUS_REFUSED_WIDTH 1
`define NFACC_STATUS_BUSY_LSB 10 // records or batches are inside
`define NFACC_STATUS_BUSY_WIDTH 1
`define NFACC_STATUS_LATE_LSB 11 // state memory: batches were lost because the NFA's queue was full, since arm
`define NFACC_STATUS_LATE_WIDTH 1
`define NFACC_STATUS_MISSED_LSB 12 // label_swap: a label of SWAP_ON accepted while the input FIFO had no room for a swap, so there was none; cleared by arm and by a swap that begins
`define NFACC_STATUS_MISSED_WIDTH 1
`define NFACC_STATUS_LOAD_LSB 16 // what came of the last load
`define NFACC_STATUS_LOAD_WIDTH 4
`define NFACC_HISTOGRAM_LABEL_LSB 0 // bin l: batches that label l accepts
`define NFACC_HISTOGRAM_LABEL_WIDTH 1
`define NFACC_HISTOGRAM_FIELD_LSB 1 // bin v: batches whose first message with the field, that of the lowest slot, has v in its top bits; with `label`, too, only labels count
`define NFACC_HISTOGRAM_FIELD_WIDTH 1
`define NFACC_HISTOGRAM_LSB_LSB 8 // the lowest of these bits in the header
`define NFACC_HISTOGRAM_LSB_WIDTH 6
`define NFACC_HISTOGRAM_BITS_LSB 16 // how many there are, at most the overlay's `histogram`
`define NFACC_HISTOGRAM_BITS_WIDTH 4
`define NFACC_RING_CONTROL_ON_LSB 0 // records go to memory; the change from 0 to 1 begins a run at the base
`define NFACC_RING_CONTROL_ON_WIDTH 1
`define NFACC_RING_CONTROL_ONLY_LSB 1 // and the stream gets none of them
`define NFACC_RING_CONTROL_ONLY_WIDTH 1
`define NFACC_RING_CONTROL_WRAP_LSB 2 // a full ring overwrites its oldest beats
`define NFACC_RING_CONTROL_WRAP_WIDTH 1
`define NFACC_RING_CONTROL_WAIT_LSB 3 // a full ring waits until RING_READ makes room; with neither wrap nor wait it stops
`define NFACC_RING_CONTROL_WAIT_WIDTH 1
`define NFACC_RING_STATUS_ON_LSB 0 // records go to memory
`define NFACC_RING_STATUS_ON_WIDTH 1
`define NFACC_RING_STATUS_BUSY_LSB 1 // something is inside that goes to memory
`define NFACC_RING_STATUS_BUSY_WIDTH 1
`define NFACC_RING_STATUS_FULL_LSB 2 // the ring was full, and takes no record more
`define NFACC_RING_STATUS_FULL_WIDTH 1
`define NFACC_RING_STATUS_ERROR_LSB 3 // the bus had an error, and the ring takes no record more
`define NFACC_RING_STATUS_ERROR_WIDTH 1
`define NFACC_RING_STATUS_RESPONSE_LSB 4 // the answer that was the error: SLVERR (2) or DECERR (3)
`define NFACC_RING_STATUS_RESPONSE_WIDTH 2

// STATUS.load.
`define NFACC_LOAD_NONE 4'd0 // nothing was loaded
`define NFACC_LOAD_OK 4'd1 // the image is good
`define NFACC_LOAD_INCOMPLETE 4'd2 // an image was begun and has not ended
`define NFACC_LOAD_FINGERPRINT 4'd3 // the image is for other hardware
`define NFACC_LOAD_CRC 4'd4 // the CRC is wrong
`define NFACC_LOAD_MALFORMED 4'd5 // an element is unknown, out of order or of the wrong size
`endif
