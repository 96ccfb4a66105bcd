// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// virt_listener: the Snoop Listener, as in probes/virtual/model/listener.c. It says which snoops
// are reads. It makes the virtual address of a line from a translation, which comes from the
// reverse TLB or from an evicted entry that is still valid. It is combinational.
`include "virt_contract.vh"
`default_nettype none

module virt_listener (
	input wire [`VIRT_SNOOP_BITS-1:0] kind,
	input wire [`VIRT_PA_BITS-1:`VIRT_LINE_BITS] pa, // address of the snooped line
	input wire aliases,       // gives no address if the frame has several
	// The translation of `pa`, if there is one.
	input wire found,
	input wire [`VIRT_VA_BITS-1:`VIRT_PAGE_BITS] entry_va,
	input wire [1:0] entry_level, // 3: a page; 2, 1: a huge page
	input wire entry_shared,  // other processes map the frame, too
	input wire entry_alias,   // the process has other addresses for the frame, too
	output wire read,         // the snoop is a read
	output wire hit,          // `va` is the process's virtual address of the line
	output wire shared,       // the same, but another process may have read the line
	output wire [`VIRT_VA_BITS-1:`VIRT_LINE_BITS] va
);
	localparam [1:0] LAST_LEVEL = `VIRT_LAST_LEVEL;

	// Address bits that are not translated come from the physical address. Its highest bits are
	// not needed.
	wire unused = &{1'b0, pa[`VIRT_PA_BITS-1:30]};

	assign read = kind != `VIRT_MAKE_UNIQUE;
	assign shared = found & aliases & (entry_shared | entry_alias);
	assign hit = found & ~shared;
	assign va = {entry_va[`VIRT_VA_BITS-1:30],
		entry_level == 2'd1 ? pa[29:21] : entry_va[29:21],
		entry_level == LAST_LEVEL ? entry_va[20:12] : pa[20:12], pa[11:6]};
endmodule
`default_nettype wire
