# $ sh $SELF
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# If a filter can begin to match only with the first batch there is a warning, unless the filter
# says so.
exec 2>&1
cat >warned.re <<'EOF'
let r = Any(R12, R13);
let both = r R23;
window 2;
log = R12 R13;
counter c = R12 at 2;
counter d = true* R12 reset r at 2;
filter plain = R12;
filter name = both;
filter moved = . true{3} r*{0} R12 true*;
filter several = R12 | (R13 | eps) R23;
filter first = true;
EOF
cat >quiet.re <<'EOF'
let any_time = .*;
let late = any_time R12;
window 2;
log = true+;
counter c = late at 2;
filter usual = true* R12;
filter name = late;
filter other = None(R12)* R12;
filter moved = . .{2} true* R12;
filter skipped = R12? (R13 | true*) R12;
filter one_branch = R12 | true* R13 R12;
filter more = (R12 R13){2,} R23;
filter counted = @c R12;
filter meant = eps R12;
filter also = (eps R12 | eps R13) R23;
automaton m { state a start; state b accept; a -> b : R12; }
EOF
$NFACC --check --overlay none -Wno-equal-labels -Wno-useless-log warned.re
$NFACC --check --overlay none -Wno-equal-labels -Wno-useless-log -Werror quiet.re
echo "exit code $?"
$NFACC --check --overlay none -Wno-equal-labels -Wno-useless-log -Wno-anchored -Werror warned.re
