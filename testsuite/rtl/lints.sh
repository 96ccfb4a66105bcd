# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# lints.sh: checks the Verilog of designs with an engine. Tests source it after lib.sh.
have() {
	command -v "$1" >/dev/null
}
# quiet NAME TOOL ARGUMENTS...: the tool must succeed and print nothing.
quiet() {
	what=$1
	shift
	if ! have "$1"; then
		skip "$what" "$1 is not there"
	elif nice "$@" >"$tmp/log" 2>&1 && [ ! -s "$tmp/log" ]; then
		ok "$what"
	else
		not_ok "$what" "$tmp/log"
	fi
}
# lints NAME FOLDER: checks nfacc_NAME in the folder $example with the nfacc_overlay.vh of FOLDER, with
# Yosys in `make check-full` only.
# The engine is in $rtl; $more are options that name further files, $files those for Yosys.
lints() {
	for xilinx in 0 1; do
		primitives=
		[ $xilinx = 0 ] || primitives=$rtl/sim/xilinx.v
		# shellcheck disable=SC2046,SC2086
		quiet "$1, XILINX $xilinx: verilator" verilator -Wall --lint-only \
			-GXILINX=$xilinx -I"$2" -I"$rtl" $(rtl_dirs "$rtl") ${more:-} -y "$example" $primitives \
			"$example/nfacc_$1.v" --top-module "nfacc_$1"
		# shellcheck disable=SC2046,SC2086
		quiet "$1, XILINX $xilinx: iverilog" iverilog -g2005 -Wall -tnull -s "nfacc_$1" \
			-P"nfacc_$1.XILINX=$xilinx" -I"$2" -I"$rtl" $(rtl_dirs "$rtl") ${more:-} -y "$example" \
			$primitives "$example/nfacc_$1.v"
	done
	if ! full; then :
	elif ! have yosys; then
		skip "$1: yosys" 'yosys is not there'
	elif nice yosys -p "read_verilog -I$2 -I$rtl ${files:-} $(rtl_files "$rtl") \
			$example/nfacc_$1.v $rtl/example/nfacc_time.v; \
			hierarchy -check -top nfacc_$1; proc; check -assert" \
			>"$tmp/yosys" 2>&1 && ! grep -i warning "$tmp/yosys" >"$tmp/log"; then
		ok "$1: yosys"
	else
		tail -n 3 "$tmp/yosys" >>"$tmp/log"
		not_ok "$1: yosys" "$tmp/log"
	fi
}
