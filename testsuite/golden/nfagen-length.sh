# $ for o in '--messages 3 -n 5' '-n 5 --messages 3' '--length=5 --messages=3'; do $NFAGEN $o; echo "exit code $?"; done; $NFAGEN -q -n 9 -n 2 --plain; $NFAGEN -q --messages 9 --messages 2 --plain
