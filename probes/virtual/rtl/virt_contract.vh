// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Made from probes/virtual/contract/virtual.def by probes/virtual/contract/genvirtual.c; `make check` compares. Do not edit.
`ifndef VIRT_CONTRACT_VH
`define VIRT_CONTRACT_VH

// Sizes.
`define VIRT_VA_BITS 48 // bits of a virtual address, in registers, DVM messages and records
`define VIRT_PA_BITS 40 // bits of a physical address
`define VIRT_ASID_BITS 16 // bits of the number of an address space
`define VIRT_LINE_BITS 6 // bits of an address within a line
`define VIRT_PAGE_BITS 12 // bits of an address within a page
`define VIRT_INDEX_BITS 9 // bits of an address that a level of the tables translates
`define VIRT_LAST_LEVEL 3 // level of tables whose entries are pages of 4 KiB; the first level is 0
`define VIRT_SNOOP_BITS 4 // bits of a kind of snoop
`define VIRT_DVM_BITS 3 // bits of a kind of DVM message
`define VIRT_SINCE_BITS 48 // bits of a number of reads without an address
`define VIRT_ENTRIES 512 // pages in the reverse TLB
`define VIRT_WAYS 4 // ways of the reverse TLB
`define VIRT_BLOCKS 16 // huge pages in the reverse TLB
`define VIRT_TABLES 128 // table pages that the Translation Stalker follows
`define VIRT_POINTS 16 // observation points
`define VIRT_CLEANS 64 // lines that wait to be cleaned and invalidated
`define VIRT_TLBIS 64 // TLB invalidations that wait
`define VIRT_RECORDS 16384 // records in the log: 256 KiB
`define VIRT_RANGES 512 // ranges of lines in the table of virt_messages
`define VIRT_SLOT_BITS 6 // bits of the number of a message's slot
`define VIRT_STORM_SNOOPS 1024 // number of read snoops in which evictions are counted
`define VIRT_STORM_EVICTIONS 512 // evictions in STORM_SNOOPS snoops that are a storm

// Registers, the bits of their fields, and the lowest of these.
`define VIRT_CTRL_AT 12'h000 // what the front end does; write it last
`define VIRT_CTRL_ENABLE 0:0 // the front end traces
`define VIRT_CTRL_PUBLISHED 1:1 // work as published: do not clean table lines again, do not hear TLB invalidations
`define VIRT_CTRL_LEVELS 6:4 // levels of the page tables: 4; any other value means 3
`define VIRT_PGD_AT 12'h008 // physical address of the root of the page tables
`define VIRT_PGD_FRAME 39:12 // bits 39 to 12 of the address
`define VIRT_ASID_AT 12'h010 // number of the address space
`define VIRT_ASID_NUMBER 15:0 // the number that DVM messages have
`define VIRT_START_AT 12'h018 // first virtual address of the range
`define VIRT_START_ADDRESS 47:0
`define VIRT_END_AT 12'h020 // first virtual address after the range
`define VIRT_END_ADDRESS 48:0
`define VIRT_STATUS_AT 12'h028 // read only
`define VIRT_STATUS_BUSY 0:0 // a request waits or is under way: a line to clean, or a message to send
`define VIRT_STATUS_BLIND 1:1 // the range has more table pages than the Translation Stalker can follow
`define VIRT_STATUS_STORM 2:2 // there was a storm of evictions: the reverse TLB is too small
`define VIRT_STATUS_FULL 3:3 // the log was full, and records were lost
`define VIRT_STATUS_UNBOUND 4:4 // too many reads without an address for SINCE_BITS: PERHAPS is not a bound any more
`define VIRT_COUNT_AT 12'h040 // 17 of them, 8 bytes apart: counters; read only
`define VIRT_POINT_AT 12'h100 // 16 of them, 8 bytes apart: observation points
`define VIRT_POINT_ENABLE 0:0 // the point is watched
`define VIRT_POINT_CODE 1:1 // the line holds instructions: invalidate it in instruction caches, too
`define VIRT_POINT_LINE 47:6 // bits 47 to 6 of the line's virtual address
`define VIRT_MSG_CTRL_AT 12'h200 // which messages are made; write it last
`define VIRT_MSG_CTRL_ENABLE 0:0 // messages are made
`define VIRT_MSG_CTRL_DATA 13:8 // the first slot for data; code has the slots below
`define VIRT_MSG_CTRL_RANGES 31:16 // ranges in use, from range 0 on
`define VIRT_MSG_RANGE_AT 12'h208 // number of the range that a write to MSG_LAST sets; that write adds 1 to it
`define VIRT_MSG_RANGE_NUMBER 15:0
`define VIRT_MSG_FIRST_AT 12'h210 // write only: the first part of a range
`define VIRT_MSG_FIRST_LINE 47:6 // bits 47 to 6 of the first line's virtual address
`define VIRT_MSG_FIRST_OPCODE 55:48 // the opcode of its messages
`define VIRT_MSG_FIRST_SLOT 61:56 // slot of messages in the range
`define VIRT_MSG_FIRST_CODE 62:62 // the range is for fetches; 0: for all other reads
`define VIRT_MSG_LAST_AT 12'h218 // write only: the second part of a range; sets the range
`define VIRT_MSG_LAST_WORD 5:0 // ENTRY: the byte of the first line that is the entry
`define VIRT_MSG_LAST_LINE 47:6 // bits 47 to 6 of the last line's virtual address
`define VIRT_MSG_LAST_ENTRY 48:48 // of all reads in the range, only those that ask for the entry have messages
`define VIRT_MSG_MADE_AT 12'h220 // messages made since the reset; read only
`define VIRT_MSG_DISCARDED_AT 12'h228 // messages that were discarded, because the engine lacks their slot; read only

// Counters, by number.
`define VIRT_COUNTERS 17
`define VIRT_COUNT_READS 5'd0 // read snoops of lines that hold no table
`define VIRT_COUNT_ANNOTATED 5'd1 // of these, reads that got a virtual address
`define VIRT_COUNT_PERHAPS 5'd2 // reads without an address while a translation may have been missed
`define VIRT_COUNT_SHARED 5'd3 // reads of frames that other processes map, too
`define VIRT_COUNT_OBSERVED 5'd4 // reads with an address, at an observation point
`define VIRT_COUNT_WALKS 5'd5 // reads of table lines
`define VIRT_COUNT_REFILLS 5'd6 // translations put into the reverse TLB
`define VIRT_COUNT_EVICTIONS 5'd7 // translations that a refill removed from the reverse TLB
`define VIRT_COUNT_CLEANS 5'd8 // requests: lines to clean and invalidate
`define VIRT_COUNT_TLBIS 5'd9 // requests: TLB invalidations
`define VIRT_COUNT_ICACHES 5'd10 // requests: invalidations in instruction caches
`define VIRT_COUNT_SYNCS 5'd11 // requests: only a DVM Sync
`define VIRT_COUNT_HEARD 5'd12 // TLB invalidations of the cores that concern the process
`define VIRT_COUNT_RESTARTS 5'd13 // times that the front end began anew, including the set-up
`define VIRT_COUNT_STORMS 5'd14 // storms: STORM_EVICTIONS or more evictions in STORM_SNOOPS snoops
`define VIRT_COUNT_LOST 5'd15 // records that were lost because the log was full
`define VIRT_COUNT_UNSENT 5'd16 // instruction-cache invalidations that were discarded: reads of their points may be missed

// Kinds of snoops.
`define VIRT_READ_ONCE 4'd0 // the reader keeps no copy
`define VIRT_READ_SHARED 4'd1 // a load
`define VIRT_READ_CLEAN 4'd2 // a fetch of instructions
`define VIRT_READ_UNIQUE 4'd3 // a store that needs the rest of the line
`define VIRT_MAKE_UNIQUE 4'd4 // a store to the whole line: nothing is read

// Kinds of DVM messages.
`define VIRT_TLBI_VA 3'd0 // TLB invalidation of an address, and of the table entries that lead to it
`define VIRT_TLBI_VA_LAST 3'd1 // TLB invalidation of an address, only in the last level
`define VIRT_TLBI_ASID 3'd2 // TLB invalidation of an address space
`define VIRT_TLBI_ALL 3'd3 // TLB invalidation of all addresses
`define VIRT_ICACHE_VA 3'd4 // invalidation of an address in instruction caches
`define VIRT_SYNC 3'd5 // when it is answered, all earlier messages are done

// Bits of a page table entry.
`define VIRT_PTE_VALID 0 // the entry is valid
`define VIRT_PTE_TABLE 1 // the entry names a table; in the last level: a page
`define VIRT_PTE_READ_ONLY 7 // stores fault
`define VIRT_PTE_ACCESSED 10 // access flag
`define VIRT_PTE_SHARED 59 // a bit that cores ignore; the operating system sets it in all entries of a frame, before the frame gets a second entry in any process

// A record, of 128 bits: the bits of its fields.
`define VIRT_RECORD_VA 47:0 // virtual address of the line
`define VIRT_RECORD_KIND 51:48 // kind of the snoop
`define VIRT_RECORD_OBSERVED 52:52 // the line is an observation point
`define VIRT_RECORD_SHARED 53:53 // other processes map the frame, too, so the snoop may be theirs: not an annotation
`define VIRT_RECORD_LINE 97:64 // physical address of the line, without its lowest 6 bits
`define VIRT_RECORD_TIME 127:98 // lowest bits of the time

// The header of a message: the bits of its fields.
`define VIRT_HEADER_LINE 41:0 // bits 47 to 6 of the line's virtual address
`define VIRT_HEADER_LINE_LSB 0
`define VIRT_HEADER_LINE_WIDTH 42
`define VIRT_HEADER_OBSERVED 51:51 // the line is an observation point
`define VIRT_HEADER_OBSERVED_LSB 51
`define VIRT_HEADER_OBSERVED_WIDTH 1
`define VIRT_HEADER_KIND 55:52 // kind of the snoop
`define VIRT_HEADER_KIND_LSB 52
`define VIRT_HEADER_KIND_WIDTH 4
`define VIRT_HEADER_OPCODE 63:56 // which name the line has; 0: none that the table has
`define VIRT_HEADER_OPCODE_LSB 56
`define VIRT_HEADER_OPCODE_WIDTH 8
`endif
