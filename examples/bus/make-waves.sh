#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# make-waves.sh FOLDER [N...]: makes the waveforms of bus_tb.v with Icarus Verilog: bus.vcd, in
# which no rule is broken, broken.vcd, in which one rule of each bus is, and bus-N.vcd with rule N
# broken.
set -eu
here=$(dirname "$0")
to=$1
shift
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
iverilog -g2005 -Wall -o "$tmp/bus" -s bus_tb "$here"/*.v
# wave NUMBER FILE: the date and the version of the simulator are left out.
wave() {
	vvp -n "$tmp/bus" "+break=$1" "+dump=$tmp/wave" >/dev/null
	sed '/^\$date/,/^\$end/d; /^\$version/,/^\$end/d' "$tmp/wave" >"$to/$2"
}
wave 0 bus.vcd
wave 255 broken.vcd
for n; do
	wave "$n" "bus-$n.vcd"
done
