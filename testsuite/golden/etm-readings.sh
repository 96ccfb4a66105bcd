# $ for f in 'pr -D budget=28' 'tb31-exact -D budget=28'; do $NFACC --target etm4:a53 $CASES/../../examples/etm/${f%% *}.re ${f#* } -D period=6001 --reading=all; done; $NFACC --target etm4:a53 $CASES/../../examples/etm/count32.re --reading=default --reading=delay+zero; $NFACC --target etm4:a53 $CASES/../../examples/etm/pr.re -D budget=2 -D period=4 --reading=priority --emit=witness
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# What registers mean in the readings of what no published text settles.
