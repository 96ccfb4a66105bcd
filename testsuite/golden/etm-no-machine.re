// $ $NFACC --target etm4:a53 -x re $SELF
// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// No machine.
filter f = L2D_CACHE_WB;
