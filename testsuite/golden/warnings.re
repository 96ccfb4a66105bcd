// $ $NFACC -Wno-anchored --check $SELF; echo $?; $NFACC -Wno-anchored --check -Werror $SELF; echo $?; $NFACC -Wno-anchored --check -Werror -Wno-never-matches -Wno-always-matches -Wno-unused-let $SELF
let unused = R12;
filter f = None(any) | !true;
filter g = R12 Any(any);
