# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Builds firmware.bin, in this folder. FIRMWARE is the folder of nfacc's firmware.c, which is
# share/nfacc/firmware where nfacc is installed.
here := $(dir $(lastword $(MAKEFILE_LIST)))
include build/software/include/generated/variables.mak
CROSS ?= riscv64-unknown-elf-
FLAGS = -march=rv32i -mabi=ilp32 -Os -Wall -Wextra -Werror -std=c11 -ffreestanding -nostdlib \
	-fno-builtin -ffunction-sections -Wl,--gc-sections \
	-I$(FIRMWARE) -Infacc -Ibuild/software/include -I$(SOC_DIRECTORY)/software/include \
	-I$(CPU_DIRECTORY)

all: firmware.bin

firmware.bin: firmware.elf
	$(CROSS)objcopy -O binary $< $@
firmware.elf: $(here)start.S $(here)main.c $(FIRMWARE)/firmware.c $(here)firmware.ld \
		nfacc/nfacc_image.h build/software/include/generated/csr.h
	$(CROSS)gcc $(FLAGS) -T $(here)firmware.ld -o $@ $(filter %.S %.c,$^) -lgcc
