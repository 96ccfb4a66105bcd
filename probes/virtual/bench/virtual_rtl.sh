#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# virtual_rtl.sh: areas of the front end's modules and of all together, by Yosys for UltraScale+,
# beside what the paper says of its own by Vivado. LUT: LUTs and LUT RAM together, in sites of a
# LUT:
# 8 for a RAM32M16 or RAM64M8, 4 for a RAM32M or RAM64M. LUTRAM: those of LUT RAM alone. BRAM: in
# blocks of 36 Kibit. virt_front is the state machine that connects the modules.
# virt_messages, for an engine with two slots, is beside it and in no sum.
set -eu
command -v yosys >/dev/null || { echo 'yosys is not installed'; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
rtl=$SRCDIR/probes/virtual/rtl
# areas TOP COMMAND: writes the statistics of a module and those below it into the file TOP.
areas() {
	yosys -q -p "read_verilog -I$rtl $rtl/virt_*.v; $2; hierarchy -check -top $1;
		synth_xilinx -family xcup -top $1; tee -o $tmp/$1 stat" >"$tmp/log" 2>&1 ||
		{ tail -n 20 "$tmp/log" >&2; exit 1; }
}
areas virt_front ''
areas virt_messages 'chparam -set SLOTS 2 virt_messages'
# rows FILE: prints a row for each module.
rows() {
	awk '
	function row(name) { printf "%-16s %8d %8d %8g %8d\n", name, lut + ram, ram, block, ff }
	function end() {
		if (module != "")
			row(module)
		lut = ram = block = ff = 0
	}
	/^===/ {
		end()
		module = "all"
		if (match($0, /virt_[a-z]+/))
			module = substr($0, RSTART, RLENGTH)
	}
	$1 ~ /^LUT[1-6]$/ { lut += $2 }
	$1 ~ /^RAM(32M16|64M8)$/ { ram += 8 * $2 }
	$1 ~ /^RAM(32M|64M|128X1D|256X1S)$/ { ram += 4 * $2 }
	$1 ~ /^RAM(32X1D|64X1D|32X2S|128X1S)$/ { ram += 2 * $2 }
	$1 ~ /^SRL/ { ram += $2 }
	$1 ~ /^RAMB36/ { block += $2 }
	$1 ~ /^RAMB18/ { block += $2 / 2 }
	$1 ~ /^FD[RSCP]E$/ { ff += $2 }
	END { end() }' "$1"
}
printf '%-16s %8s %8s %8s %8s\n' module LUT LUTRAM BRAM FF
rows "$tmp/virt_front"
printf '%-16s %8d %8d %8g %8d\n' 'paper, table II' 22257 5170 64 22229
rows "$tmp/virt_messages"
