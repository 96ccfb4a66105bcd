# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""The slave on AXI4-Lite under random reads and writes at the same time, by the master of cocotbext-axi,
which checks no rules. The filter examples/bus/axi4-lite.re does. With WATCH=tap it is behind the module of
`nfacc --emit=tap`, with WATCH=bus behind monitors of cocotbext-axi."""
import logging
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster
from nfart.cocotb import Watch


@cocotb.test()
async def traffic(dut):
    """A hundred reads and writes are answered, and no rule of the bus is broken."""
    random.seed(int(os.environ.get("RANDOM_SEED", "1")))
    logging.getLogger("cocotb.slave_top").setLevel(logging.WARNING)
    bus = AxiLiteBus.from_entity(dut)
    dut.aresetn.value = 0
    if os.environ["WATCH"] == "bus":
        watch = Watch(os.environ["NFACC_IMAGE"], bus, dut.aclk, dut.aresetn, reset_active_level=False)
    else:
        watch = Watch(os.environ["NFACC_IMAGE"], dut.tap, dut.aclk)
    master = AxiLiteMaster(bus, dut.aclk, dut.aresetn, reset_active_level=False)
    cocotb.start_soon(Clock(dut.aclk, 10, "ns").start(start_high=False))
    for _ in range(3):
        await RisingEdge(dut.aclk)
    dut.aresetn.value = 1

    await master.write(0, bytes(64))  # no register is x any more

    def pauses():
        while True:
            yield random.random() < 0.3

    for channel in (master.write_if.aw_channel, master.write_if.w_channel, master.write_if.b_channel,
                    master.read_if.ar_channel, master.read_if.r_channel):
        channel.set_pause_generator(pauses())

    async def writes():
        for _ in range(100):
            await master.write(4 * random.randrange(16), random.randbytes(4))

    async def reads():
        for _ in range(100):
            await master.read(4 * random.randrange(16), 4)

    both = [cocotb.start_soon(writes()), cocotb.start_soon(reads())]
    for task in both:
        await task
    await RisingEdge(dut.aclk)
    watch.end()
