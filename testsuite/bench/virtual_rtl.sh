#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# virtual_rtl.sh: areas of the front end's modules and of all together, by Yosys for UltraScale+,
# beside what the paper says of its own by Vivado. LUT: LUTs and LUT RAM together, in sites of a LUT:
# 8 for a RAM32M16 or RAM64M8, 4 for a RAM32M or RAM64M. LUTRAM: those of LUT RAM alone. BRAM: in
# blocks of 36 Kibit. virt_front is the state machine that connects the modules.
set -eu
command -v yosys >/dev/null || { echo 'yosys is not installed'; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
rtl=$SRCDIR/rtl
yosys -q -p "read_verilog -I$rtl $rtl/virt_*.v; hierarchy -check -top virt_front;
	synth_xilinx -family xcup -top virt_front; tee -o $tmp/stat stat" >"$tmp/log" 2>&1 ||
	{ tail -n 20 "$tmp/log" >&2; exit 1; }
awk '
	function row(name) { printf "%-16s %8d %8d %8g %8d\n", name, lut + ram, ram, block, ff }
	function end() {
		if (module != "")
			row(module)
		lut = ram = block = ff = 0
	}
	BEGIN { printf "%-16s %8s %8s %8s %8s\n", "module", "LUT", "LUTRAM", "BRAM", "FF" }
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
	END { end() }' "$tmp/stat"
printf '%-16s %8d %8d %8g %8d\n' 'paper, table II' 22257 5170 64 22229
