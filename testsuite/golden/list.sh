# $ $NFACC --list
