// $ $NFACC --target etm4:a53 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// One machine, and nothing beside it.
window 3; limit 9; substream cl from 0x80 count 4;
filter f = true* L2D_CACHE_WB end;
counter k = true* L2D_CACHE_WB at 3;
log = all;
automaton au { state s start accept; s -> s : true; }
machine m { counter c at 9 roll; state a start; state b output(o); count c : Any(LINES); a -> b : @c; }
machine m2 { state a start; state b output(o2); a -> b : Any(LINES); }
