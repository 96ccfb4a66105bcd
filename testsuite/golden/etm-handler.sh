# $ $NFACC --target etm4:a53 $CASES/../../examples/etm/count32.re --emit=handler
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# A machine without outputs has no interrupt; probes/etm/tests/handler.c has those of regulators.
