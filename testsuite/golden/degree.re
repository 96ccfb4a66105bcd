// $ ($NFACC $SELF --overlay 1,40,1,0 -o x; echo "exit code $?") 2>&1 | grep -v -e limit -e fits
filter f = (R12|R13|R23|V21|V31)* RA2;
