# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# One interface that has two names: that of the outer scope, which is longer, is listed.
cat >two.vcd <<'END'
$scope module top $end
$var wire 1 ! clk $end
$var wire 1 " core_fetch_bus_tvalid $end
$var wire 1 # core_fetch_bus_tready $end
$var wire 8 $ core_fetch_bus_tdata $end
$scope module m $end
$var wire 1 " tvalid $end
$var wire 1 # tready $end
$var wire 8 $ tdata $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
0! 0" 0# b0 $
END
$NFARUN --list-signals two.vcd | grep '^-p'
