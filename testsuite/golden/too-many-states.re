// $ ($NFACC -Wno-anchored $SELF -o x; echo "exit code $?") 2>&1 | grep -v cheapest
filter f = R12{301};
