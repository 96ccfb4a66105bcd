// $ $NFACC -Werror $SELF -o x; echo $?; ls
let unused = R12;
filter f = R12;
