/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Made from contract/contract.def by contract/gen/gencontract.c; `make check` compares. Do not edit. */
#ifndef NFACC_REGISTERS
#define NFACC_REGISTERS
#define NFACC_CONTRACT_VERSION 3u
#define NFACC_ID 0x6e666163u /* what register ID reads */

/* Registers: byte offsets. */
#define NFACC_REG_ID 0x000u /* RO: 0x6e666163 */
#define NFACC_REG_VERSION 0x004u /* RO: version of the contract */
#define NFACC_REG_FINGERPRINT_LO 0x008u /* RO: hardware fingerprint, low half */
#define NFACC_REG_FINGERPRINT_HI 0x00cu /* RO: hardware fingerprint, high half */
#define NFACC_REG_CONTROL 0x010u /* WO: one command a write, a bit each; one that can't be followed now sets STATUS.refused */
#define NFACC_REG_ENABLE 0x014u /* RW: bit 0: batches are taken while armed, else they count as unseen; 1 after power-up and reset */
#define NFACC_REG_STATUS 0x018u /* RO: what the engine does */
#define NFACC_REG_IDLE_AFTER 0x01cu /* RW: cycles without a batch after which STATUS.idle is set; 0: never */
#define NFACC_REG_CONFIG 0x020u /* WO: configuration words, one a write; with data 64 the low half */
#define NFACC_REG_CONFIG_HI 0x024u /* WO: with data 64 the high half; writing it hands the word on */
#define NFACC_REG_WORDS 0x028u /* RO: configuration words taken since begin */
#define NFACC_REG_PACKETS_LO 0x030u /* RO: batches output since arm or swap */
#define NFACC_REG_PACKETS_HI 0x034u /* RO: high half */
#define NFACC_REG_DROPPED_LO 0x038u /* RO: messages in batches lost because the output, or the NFA's queue, was full, since arm */
#define NFACC_REG_DROPPED_HI 0x03cu /* RO: high half */
#define NFACC_REG_UNSEEN_LO 0x040u /* RO: batches that came while not armed or not enabled, since reset */
#define NFACC_REG_UNSEEN_HI 0x044u /* RO: high half */
#define NFACC_REG_BATCHES_LO 0x048u /* RO: batches given to the NFA since arm or swap */
#define NFACC_REG_BATCHES_HI 0x04cu /* RO: high half */
#define NFACC_REG_STOPPED_LO 0x050u /* RO: time: when the last stop took effect, which is the stream's last time */
#define NFACC_REG_STOPPED_HI 0x054u /* RO: high half */
#define NFACC_REG_TICKS_LOST_LO 0x058u /* RO: time: ticks lost because the time jumped, since arm */
#define NFACC_REG_TICKS_LOST_HI 0x05cu /* RO: high half */
#define NFACC_REG_BY_LINE 0x060u /* RW: element by_line */
#define NFACC_REG_BASE_LO 0x068u /* RW: element base */
#define NFACC_REG_BASE_HI 0x06cu /* RW: high half */
#define NFACC_REG_COUNT_LO 0x070u /* RW: element count */
#define NFACC_REG_COUNT_HI 0x074u /* RW: high half */
#define NFACC_REG_WINDOW_LO 0x078u /* RW: element window_size */
#define NFACC_REG_WINDOW_HI 0x07cu /* RW: high half */
#define NFACC_REG_LIMIT_LO 0x080u /* RW: element limit */
#define NFACC_REG_LIMIT_HI 0x084u /* RW: high half */
#define NFACC_REG_TICK 0x088u /* RW: time: element tick */
#define NFACC_REG_END 0x08cu /* RW: time: element end */
#define NFACC_REG_WINDOW_AFTER_LO 0x090u /* RW: window_after own: element window_after */
#define NFACC_REG_WINDOW_AFTER_HI 0x094u /* RW: high half */
#define NFACC_REG_LABEL 0x0b0u /* RW: counts: the label that ACCEPTED is for; 0 after power-up and reset */
#define NFACC_REG_ACCEPTED_LO 0x0b8u /* RO: counts: batches that the label accepted since arm or swap, up to the limit, lost ones too */
#define NFACC_REG_ACCEPTED_HI 0x0bcu /* RO: high half */
#define NFACC_REG_SWAP_ON_LO 0x0c0u /* RW: label_swap: bit l: the first batch that label l accepts swaps in the image that is staged; a swap that begins clears them, and so does reset */
#define NFACC_REG_SWAP_ON_HI 0x0c4u /* RW: high half */
#define NFACC_REG_HISTOGRAM 0x0c8u /* RW: histogram: what the bins are for, batches that are accepted within the limit, lost ones too; it can be written when the registers of elements can, and STATUS.busy is 0; 0 after power-up */
#define NFACC_REG_HISTOGRAM_TABLE 0x0ccu /* WO: histogram: messages of which slots and opcodes have the field, in the words that element keyed has with data 32; written as HISTOGRAM */
#define NFACC_REG_BIN 0x0d0u /* RW: histogram: the bin that BINNED is for; 0 after power-up and reset */
#define NFACC_REG_BINNED_LO 0x0d8u /* RO: histogram: batches in the bin since arm or swap */
#define NFACC_REG_BINNED_HI 0x0dcu /* RO: high half */
#define NFACC_REG_JOIN_LATE 0x0f0u /* RO: joins: answers that came after their request was answered, since arm; stays at its highest value */
#define NFACC_REG_JOIN_WRONG 0x0f4u /* RO: joins: answers that came without a request, since arm; stays at its highest value */
#define NFACC_REG_RING_CONTROL 0x800u /* RW: ring: what it does; refused (SLVERR) with wrap and wait, and for `on` while STATUS.busy or with a ring that can't be */
#define NFACC_REG_RING_STATUS 0x804u /* RO: ring: its state */
#define NFACC_REG_RING_RUN 0x808u /* RW: ring: number of the run, 24 bits, which all beats carry; another one than in what the memory has. It, base and size can be written while neither on nor busy */
#define NFACC_REG_RING_BASE_LO 0x810u /* RW: ring: its first address, a multiple of 4096 */
#define NFACC_REG_RING_BASE_HI 0x814u /* RW: high half */
#define NFACC_REG_RING_SIZE_LO 0x818u /* RW: ring: its bytes, a multiple of 4096, 2^38 at most */
#define NFACC_REG_RING_SIZE_HI 0x81cu /* RW: high half */
#define NFACC_REG_RING_READ_LO 0x820u /* RW: ring: beats that were read since the start; takes effect when the high half is written */
#define NFACC_REG_RING_READ_HI 0x824u /* RW: high half */
#define NFACC_REG_RING_WRITTEN_LO 0x828u /* RO: ring: beats of 64 bytes in memory since the start */
#define NFACC_REG_RING_WRITTEN_HI 0x82cu /* RO: high half */
#define NFACC_REG_RING_RECORDS_LO 0x830u /* RO: ring: records in memory since the start */
#define NFACC_REG_RING_RECORDS_HI 0x834u /* RO: high half */
#define NFACC_REG_RING_LOST_LO 0x838u /* RO: ring: records that came since the start and are not in memory: it was full, or the bus had an error */
#define NFACC_REG_RING_LOST_HI 0x83cu /* RO: high half */

/* Fields: their bits in place. */
#define NFACC_CONTROL_BEGIN 0x00000001u /* begins an image, discards earlier words; without shadow only while not armed */
#define NFACC_CONTROL_ARM 0x00000002u /* start states, empty window, counts 0; only with a good image and not armed */
#define NFACC_CONTROL_STOP 0x00000004u /* end of the stream: the window is decided, then STATUS.done */
#define NFACC_CONTROL_RESET 0x00000008u /* everything but the configuration as after power-up; what is buffered is gone, a record that has begun is completed */
#define NFACC_CONTROL_SWAP 0x00000010u /* shadow: the image that was loaded takes over before the next batch */
#define NFACC_CONTROL_RESTART 0x00000020u /* every copy back to its start states before the next batch; window and counts go on */
#define NFACC_STATUS_ARMED 0x00000001u /* armed, and neither stopped, at its limit nor reset since */
#define NFACC_STATUS_DONE 0x00000002u /* stopped or limit reached, and every record has left */
#define NFACC_STATUS_DRAINING 0x00000004u /* stopped or limit reached, records still leave */
#define NFACC_STATUS_OVERFLOW 0x00000008u /* some output was lost since arm */
#define NFACC_STATUS_IDLE 0x00000010u /* no batch for IDLE_AFTER cycles */
#define NFACC_STATUS_LOADING 0x00000020u /* between begin and the end of an image */
#define NFACC_STATUS_LOADED 0x00000040u /* the engine holds a good image */
#define NFACC_STATUS_STAGED 0x00000080u /* shadow: a good image waits for swap */
#define NFACC_STATUS_SWAPPING 0x00000100u /* shadow: a swap is under way */
#define NFACC_STATUS_REFUSED 0x00000200u /* a command was refused; the next accepted command clears it */
#define NFACC_STATUS_BUSY 0x00000400u /* records or batches are inside */
#define NFACC_STATUS_LATE 0x00000800u /* state memory: batches were lost because the NFA's queue was full, since arm */
#define NFACC_STATUS_MISSED 0x00001000u /* label_swap: a label of SWAP_ON accepted while the input FIFO had no room for a swap, so there was none; cleared by arm and by a swap that begins */
#define NFACC_STATUS_LOAD 0x000f0000u /* what came of the last load */
#define NFACC_STATUS_LOAD_LSB 16
#define NFACC_HISTOGRAM_LABEL 0x00000001u /* bin l: batches that label l accepts */
#define NFACC_HISTOGRAM_FIELD 0x00000002u /* bin v: batches whose first message with the field, that of the lowest slot, has v in its top bits; with `label`, too, only labels count */
#define NFACC_HISTOGRAM_LSB 0x00003f00u /* the lowest of these bits in the header */
#define NFACC_HISTOGRAM_LSB_LSB 8
#define NFACC_HISTOGRAM_BITS 0x000f0000u /* how many there are, at most the overlay's `histogram` */
#define NFACC_HISTOGRAM_BITS_LSB 16
#define NFACC_RING_CONTROL_ON 0x00000001u /* records go to memory; the change from 0 to 1 begins a run at the base */
#define NFACC_RING_CONTROL_ONLY 0x00000002u /* and the stream gets none of them */
#define NFACC_RING_CONTROL_WRAP 0x00000004u /* a full ring overwrites its oldest beats */
#define NFACC_RING_CONTROL_WAIT 0x00000008u /* a full ring waits until RING_READ makes room; with neither wrap nor wait it stops */
#define NFACC_RING_STATUS_ON 0x00000001u /* records go to memory */
#define NFACC_RING_STATUS_BUSY 0x00000002u /* something is inside that goes to memory */
#define NFACC_RING_STATUS_FULL 0x00000004u /* the ring was full, and takes no record more */
#define NFACC_RING_STATUS_ERROR 0x00000008u /* the bus had an error, and the ring takes no record more */
#define NFACC_RING_STATUS_RESPONSE 0x00000030u /* the answer that was the error: SLVERR (2) or DECERR (3) */
#define NFACC_RING_STATUS_RESPONSE_LSB 4

/* STATUS.load. */
#define NFACC_LOAD_NONE 0u /* nothing was loaded */
#define NFACC_LOAD_OK 1u /* the image is good */
#define NFACC_LOAD_INCOMPLETE 2u /* an image was begun and has not ended */
#define NFACC_LOAD_FINGERPRINT 3u /* the image is for other hardware */
#define NFACC_LOAD_CRC 4u /* the CRC is wrong */
#define NFACC_LOAD_MALFORMED 5u /* an element is unknown, out of order or of the wrong size */
#endif
