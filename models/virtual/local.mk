## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The front end that gives snoops their virtual addresses, and a system in which it works.
noinst_LTLIBRARIES += libvirtual.la
libvirtual_la_SOURCES = \
	contract/virtual.def contract/virtual.h \
	models/virtual/front.c models/virtual/front.h models/virtual/helper.c \
	models/virtual/helper.h models/virtual/listener.c models/virtual/listener.h \
	models/virtual/logger.c models/virtual/logger.h models/virtual/rtlb.c \
	models/virtual/rtlb.h models/virtual/stalker.c models/virtual/stalker.h \
	models/virtual/virtual.h models/virtual/watchdog.c models/virtual/watchdog.h \
	models/virtual/window.c models/virtual/window.h \
	models/virtual/system/bus.c models/virtual/system/kernel.c \
	models/virtual/system/memory.c models/virtual/system/parts.h \
	models/virtual/system/system.c models/virtual/system/system.h \
	models/virtual/system/translate.c
