# $ for o in '--model busy' --busy '--model coherence' '--model'; do $NFAGEN -q -n 2 --plain $o; echo "exit code $?"; done; $NFAGEN -q --busy -n 5000 | grep -c -e tick -e end
