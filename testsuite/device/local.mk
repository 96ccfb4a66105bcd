## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# nfactl: against a model of the registers that has faults, and against a simulated engine.
check_PROGRAMS += testsuite/device/faulty
testsuite_device_faulty_SOURCES = \
	testsuite/device/faulty.c testsuite/rtl/regmodel.c testsuite/rtl/regmodel.h
testsuite_device_faulty_LDADD = libdevice.la librun.la libnfart.la
check_PROGRAMS += testsuite/device/fuse_nodes
testsuite_device_fuse_nodes_SOURCES = testsuite/device/fuse_nodes.c
testsuite_device_fuse_nodes_LDADD = libdevice.la librun.la libnfart.la
# A machine of QEMU's boots it.
check_PROGRAMS += testsuite/device/edu
testsuite_device_edu_SOURCES = testsuite/device/edu.c
testsuite_device_edu_LDADD = libdevice.la librun.la libnfart.la
full_tests += testsuite/device/pci.test testsuite/device/ring.test
TESTS += testsuite/device/device.test testsuite/device/sim.test
EXTRA_DIST += testsuite/device/boot.sh testsuite/device/initrd.py testsuite/device/pci.test testsuite/device/ring.test testsuite/device/device.test testsuite/device/sim.test
