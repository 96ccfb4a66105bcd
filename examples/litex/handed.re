// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Three steps on the bus of a SoC: data is written, then a flag, and then the data is read.
// Addresses are those of lines of 64 bytes: the data is at 0x20000000, the flag at 0x20000040.
protocol wishbone;
let write = Any(WRITE, WRITE_NOW);
let read = Any(READ, READ_NOW);
let write_data = write[addr == 0x20000000];
let write_flag = write[addr == 0x20000040];
let read_data = read[addr == 0x20000000];
filter handed = true* write_data !write_data* write_flag !write_flag* read_data;
