// $ $NFACC -Wno-anchored --check -Wcontained-label $SELF; $NFACC -Wno-anchored --check -Wno-equal-labels -Wno-empty-filter -Wno-useless-log $SELF; printf 'window 1; log = true* R12; counter c = R12 at 2; filter f = @c; filter g = R12;' | $NFACC -Wno-anchored --check --overlay none -
window 2;
log = true* R12;
filter read = true* R12;
filter twice = true* R12 true* R12;
filter again = true* None(R12)* R12 | R12;
filter nothing = R12 (R13 | R12) None(any);
filter rare = R13;
