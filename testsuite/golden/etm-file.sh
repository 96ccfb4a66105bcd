# $ sed 's/etm a53/etm mine/; s/L2D_CACHE_WB 22/L2D_CACHE_WB 25/' $CASES/../../targets/a53.etm >mine.etm; for a in './mine.etm' 'mine -I .'; do $NFACC --target etm4:$a $CASES/../../examples/etm/pr.re -D budget=28 -D period=6001 | grep EXTINSEL; done; : >empty.etm; $NFACC --target etm4:./empty.etm $CASES/../../examples/etm/count32.re
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# A description of one's own: a file, or a name in a folder of -I.
