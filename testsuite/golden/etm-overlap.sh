# $ cd $CASES/../../examples/etm; for l in authors auto; do $NFACC --target etm4:a53 --layout=$l pr.re -Dbudget=4 -Dperiod=21 --reading=default --reading=overlap; done; for l in fewest robust; do $NFACC --target etm4:a53 --layout=$l -Wno-etm-priority pr13.re -Dbudget=4 -Dperiod=21 --reading=overlap; done; for r in overlap overlap,zero; do sed "s/etm a53/etm mine/; s/reading default/reading $r/" ../../targets/a53.etm >$OLDPWD/mine.etm; $NFACC --target etm4:$OLDPWD/mine.etm --layout=fewest -Wno-etm-priority pr13.re -Dbudget=4 -Dperiod=21 --reading=overlap; done
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# A counter that is reset in the cycle of its pulse: lines in cycles 1, 2, 3 and 21, where a period of 21
# ends. The robust layout does not depend on whether it pulses, and neither does a core that says that it does.
