// $ $NFACC --target etm4:a53 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// Five states.
machine m { state a start; state b; state c; state d; state e output(o);
a -> b : Any(LINES); b -> c : Any(LINES); c -> d : Any(LINES); d -> e : Any(LINES); e -> a : Any(LINES); }
