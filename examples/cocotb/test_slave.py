# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""A test with cocotb that drives a slave on AXI4-Lite, while the rules of the bus are watched by a filter,
examples/bus/axi4-lite.re. The test says nothing of the rules. If one is broken it fails with the
text of nfarun --explain."""
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from nfart.cocotb import Watch


async def write(dut, address, value):
    dut.awaddr.value, dut.wdata.value = address, value
    dut.awvalid.value = dut.wvalid.value = 1
    while True:
        await RisingEdge(dut.aclk)
        if dut.awready.value == 1:
            break
    dut.awvalid.value = dut.wvalid.value = 0
    for _ in range(random.randrange(3)):
        await RisingEdge(dut.aclk)
    dut.bready.value = 1
    for _ in range(4):  # a slave that does not answer is a matter of the filter
        await RisingEdge(dut.aclk)
        if dut.bvalid.value == 1:
            break
    dut.bready.value = 0


async def read(dut, address):
    dut.araddr.value, dut.arvalid.value = address, 1
    while True:
        await RisingEdge(dut.aclk)
        if dut.arready.value == 1:
            break
    dut.arvalid.value, dut.rready.value = 0, 1
    while True:
        await RisingEdge(dut.aclk)
        if dut.rvalid.value == 1:
            break
    dut.rready.value = 0
    return int(dut.rdata.value)


@cocotb.test()
async def registers(dut):
    """What was written is read back, and no rule of the bus is broken."""
    random.seed(1)
    for name in "awvalid", "wvalid", "bready", "arvalid", "rready", "aresetn":
        getattr(dut, name).value = 0
    cocotb.start_soon(Clock(dut.aclk, 10, "ns").start(start_high=False))
    watch = Watch(os.environ["NFACC_IMAGE"], dut.tap, dut.aclk)
    for _ in range(3):
        await RisingEdge(dut.aclk)
    dut.aresetn.value = 1
    for register in range(16):
        await write(dut, 4 * register, register * 3)
        assert await read(dut, 4 * register) == register * 3
    await RisingEdge(dut.aclk)
    watch.end()
