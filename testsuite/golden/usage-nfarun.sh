# $ for a in '' '--on-loss x i' '--swap 0 a b' '--swap 3 a' '--by line i' '--to x i' '--substream 0,0 i' 'a b c'; do $NFARUN $a; echo "$?"; done 2>&1 | grep -v -e '^Try'
