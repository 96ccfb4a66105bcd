# $ pr=$CASES/../../examples/etm/pr.re; t="$NFACC --target etm4:a53 -o out $pr"; r='--rate 350MB/s --clock 1.2GHz'; { $t --rate 350MB/s; $t --rate 350 --clock 1.2GHz; $t --rate 350MB/s --clock 1.2; $t --rate 0.5B/s --clock 1GHz; $t --rate 350MB/s --clock 0Hz; $t --clock 1GHz; $t --rate 80GB/s --clock 1.2GHz; $t --rate 1kB/s --clock 1.2GHz; $t $r --period 1ms; $t $r --period 0.1ns; $t $r --period 10ns; $t $r -Dbudget=3; $t $r --event-bytes 0; $t --period 5us; $t --bound 3 --event-bytes 64; $NFACC -o out $r $pr; $NFACC --target etm4:a53 -o out $CASES/../../examples/etm/count32.re $r; ls out; } 2>&1 | grep -v -e ^Try -e ^ls: -e '^ls '
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Rates, clocks and periods that make no regulator. Nothing is written.
