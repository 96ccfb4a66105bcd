# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""nfacc_engine as a stranger tests it: the masters and sinks of cocotbext-axi on its ports, with random
strobes, back pressure and stalls. cocotb.test runs this in a folder with plan.json: the seed, the
registers, and the cases, each with the words of an image, a trace, and the records that nfarun gives."""
import json
import logging
import random

import cocotb
import nfart
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp, AxiStreamBus, AxiStreamSink

with open("plan.json") as plan_file:
    PLAN = json.load(plan_file)
REGISTERS = PLAN["registers"]
LOADED = 1  # STATUS.load: the image is good
BEGIN, ARM, STOP, RESET = 1, 2, 4, 8
BITS = {name: 1 << bit for bit, name in enumerate(
    ("armed", "done", "draining", "overflow", "idle", "loading", "loaded", "staged", "swapping",
     "refused", "busy"))}


def stalls(chance):
    """Gives True, for a cycle in which a port waits, with this chance."""
    while True:
        yield random.random() < chance


def stalls_then(cycles, chance, later):
    for _ in range(cycles):
        yield random.random() < chance
    yield from stalls(later)


class Bench:
    """The engine's clock, its ports, and a master and a sink on them."""

    def __init__(self, dut):
        self.dut = dut
        logging.getLogger("cocotb").setLevel(logging.WARNING)
        self.bus = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst)
        self.bytes = len(dut.s_axil_wdata) // 8
        self.slots, self.bits = len(dut.s_present), len(dut.s_header) // len(dut.s_present)

    async def start(self):
        for name in "s_valid", "s_present", "s_header", "s_time":
            getattr(self.dut, name).value = 0
        self.dut.rst.value = 1
        cocotb.start_soon(Clock(self.dut.clk, 10, "ns").start())
        await self.cycles(4)
        self.dut.rst.value = 0
        await self.cycles(2)
        return self

    def wait_often(self, chance):
        """Lets all channels of the registers wait with this chance, each by itself."""
        write, read = self.bus.write_if, self.bus.read_if
        for channel in (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel,
                        read.r_channel):
            channel.set_pause_generator(stalls(chance))

    async def cycles(self, n):
        for _ in range(n):
            await RisingEdge(self.dut.clk)

    async def get(self, register):
        got = await self.bus.read(REGISTERS[register], 4)
        assert got.resp == AxiResp.OKAY, f"{register}: {got.resp!r}"
        return int.from_bytes(got.data, "little")

    async def get_count(self, name):
        low = await self.get(name + "_LO")
        return low | await self.get(name + "_HI") << 32

    async def put(self, register, value):
        got = await self.bus.write(REGISTERS[register], value.to_bytes(4, "little"))
        assert got.resp == AxiResp.OKAY, f"{register}: {got.resp!r}"

    async def status(self):
        return await self.get("STATUS")

    async def until(self, bit, wanted):
        for _ in range(2000):
            status = await self.status()
            if bool(status & BITS[bit]) == wanted:
                return status
        raise AssertionError(f"STATUS.{bit} stays {int(not wanted)}")

    async def load(self, words):
        await self.put("CONTROL", BEGIN)
        for word in words:
            if self.bytes == 8 and random.random() < 0.5:
                for half in 0, 1:
                    await self.bus.write(REGISTERS["CONFIG"] + 4 * half,
                                         (word >> 32 * half & 0xFFFFFFFF).to_bytes(4, "little"))
            else:
                await self.bus.write(REGISTERS["CONFIG"], word.to_bytes(self.bytes, "little"))
        return await self.until("loading", False) >> 16 & 15

    async def tap(self, batches, pace=0.0):
        """Puts batches at the tap, with as many free cycles between them as chance has it."""
        dut = self.dut
        for batch in batches:
            await RisingEdge(dut.clk)
            dut.s_valid.value = 1
            dut.s_time.value = batch.time
            dut.s_present.value = sum(1 << slot for slot in batch.slots)
            dut.s_header.value = sum(header << slot * self.bits
                                     for slot, header in zip(batch.slots, batch.headers))
            while random.random() < pace:
                await RisingEdge(dut.clk)
                dut.s_valid.value = 0
        await RisingEdge(dut.clk)
        dut.s_valid.value = 0

    def records(self):
        """The records that have come, each a list of words of 64 bits."""
        found = []
        while not self.sink.empty():
            data = bytes(self.sink.recv_nowait().tdata)
            found.append([int.from_bytes(data[k:k + 8], "little") for k in range(0, len(data), 8)])
        return found


def words_of(name):
    with open(name) as file:
        return [int(line, 16) for line in file if not line.startswith("//")]


def wanted_of(name):
    """The words of nfarun's records, without the header of the file, which says how long it is."""
    with open(name, "rb") as file:
        data = file.read()
    data = data[int.from_bytes(data[16:20], "little"):]
    return [int.from_bytes(data[k:k + 8], "little") for k in range(0, len(data), 8)]


def batches_of(case):
    image = nfart.Image(case["image"])
    return list(nfart.Reader(case["trace"], image.protocol))


def after_write(state, address, data, strobe, lanes):
    """What a write makes of the registers: the answer, and the new values. All of one register is
    written, or nothing; an address with bit 2 set is that of the odd register alone."""
    writable = {REGISTERS[name]: name for name in PLAN["writable"]}
    new, base = dict(state), address & ~(lanes - 1)
    # Without strobes nothing is written: then one register of the pair that could be will do.
    if address % 4 or not any((address & ~7) + k in writable for k in (0, 4)):
        return AxiResp.SLVERR, state
    for k in range(0, lanes, 4):
        part = strobe >> k & 15
        if part == 0:
            continue
        at = base + k
        if part != 15 or at < address or at not in writable:
            return AxiResp.SLVERR, state
        mask = PLAN["writable"][writable[at]]
        new[writable[at]] = data >> 8 * k & 0xFFFFFFFF & mask
    return AxiResp.OKAY, new


def random_write(bench):
    """An address, data and strobes: most often of a register that can be written."""
    while True:
        address = random.choice([REGISTERS[name] for name in PLAN["writable"]]) \
            if random.random() < 0.8 else random.randrange(0x100, 0x1000)
        address = address + random.choice((0, 0, 0, 4, -4, 1, 2)) & 0xFFF
        # CONTROL and CONFIG are of the other tests.
        if address & ~7 not in (REGISTERS["CONTROL"] & ~7, REGISTERS["CONFIG"] & ~7):
            strobe = random.choice((15, 240, 255, 0, random.randrange(256)))
            return address, random.getrandbits(8 * bench.bytes), strobe & (1 << bench.bytes) - 1


@cocotb.test()
async def registers(dut):
    """Random writes with random strobes, to random addresses, several at once: each is answered and done as a
    model says."""
    random.seed(PLAN["seed"])
    bench = await Bench(dut).start()
    assert await bench.get("ID") == PLAN["id"]
    assert await bench.get_count("FINGERPRINT") == PLAN["fingerprint"]
    state = {name: await bench.get(name) for name in PLAN["writable"]}
    bench.wait_often(0.3)
    write = bench.bus.write_if
    done = refused = 0
    for _ in range(PLAN["writes"] // 3):
        some = [random_write(bench) for _ in range(random.randrange(1, 6))]
        for address, data, strobe in some:
            aw, w = write.aw_channel._transaction_obj(), write.w_channel._transaction_obj()
            aw.awaddr, w.wdata, w.wstrb = address, data, strobe
            await write.aw_channel.send(aw)
            await write.w_channel.send(w)
        for address, data, strobe in some:
            got = AxiResp(int((await write.b_channel.recv()).bresp))
            want, state = after_write(state, address, data, strobe, bench.bytes)
            assert got == want, f"write at {address:#x}, strobe {strobe:#x}: {got!r}, not {want!r}"
            done += got == AxiResp.OKAY
            refused += got != AxiResp.OKAY
        name = random.choice(list(state))
        value = await bench.get(name)
        assert value == state[name], f"{name} is {value:#x}, not {state[name]:#x}"
    for name, value in state.items():
        assert await bench.get(name) == value, name
    assert done > PLAN["writes"] // 5 and refused > PLAN["writes"] // 10
    for name in PLAN["readable"]:
        await bench.get(name)
    for address in [0xFF8] + [REGISTERS[name] for name in PLAN["absent"]]:
        unknown = await bench.bus.read(address, 4)
        assert unknown.resp == AxiResp.SLVERR, f"{address:#x}"
    print(f"registers: {done} writes done, {refused} refused")


@cocotb.test()
async def many_at_once(dut):
    """Writes and reads that are under way at the same time are each done and answered once, in
    order."""
    random.seed(PLAN["seed"] + 1)
    bench = await Bench(dut).start()
    bench.wait_often(0.4)
    values = [0] + random.sample(range(1, 1 << 32), 99)
    writes = [bench.bus.init_write(REGISTERS["IDLE_AFTER"], v.to_bytes(4, "little")) for v in values]
    reads = [bench.bus.init_read(REGISTERS["IDLE_AFTER"], 4) for _ in values]
    last = 0
    for event in reads:
        await event.wait()
        place = values.index(int.from_bytes(event.data.data, "little"))
        assert place >= last, f"value {last} was read, then value {place}"
        last = place
    assert last > 0
    for event in writes:
        await event.wait()
        assert event.data.resp == AxiResp.OKAY
    assert await bench.get("IDLE_AFTER") == values[-1]


@cocotb.test()
async def bad_images(dut):
    """A damaged image is refused and can't be armed; the same image without the damage can."""
    random.seed(PLAN["seed"] + 2)
    bench = await Bench(dut).start()
    words = words_of(PLAN["cases"][0]["words"])
    for _ in range(8):
        damaged = list(words)
        place = random.randrange(len(words))
        damaged[place] ^= 1 << random.randrange(8 * bench.bytes)
        assert await bench.load(damaged) != LOADED, f"word {place}"
        await bench.put("CONTROL", ARM)
        status = await bench.status()
        assert status & BITS["refused"] and not status & BITS["armed"]
    bench.wait_often(0.3)
    assert await bench.load(words) == LOADED
    await bench.put("CONTROL", ARM)
    assert await bench.status() & BITS["armed"]


async def run(bench, case, pace):
    assert await bench.load(words_of(case["words"])) == LOADED, case["name"]
    await bench.put("CONTROL", ARM)
    batches = batches_of(case)
    await bench.tap(batches, pace)
    await bench.put("CONTROL", STOP)
    status = await bench.until("done", True)
    await bench.cycles(4)
    return batches, status, bench.records()


@cocotb.test()
async def streams(dut):
    """What comes out of each case is what nfarun says, however the sink waits."""
    random.seed(PLAN["seed"] + 3)
    bench = await Bench(dut).start()
    total = 0
    for case in PLAN["cases"]:
        bench.wait_often(random.choice((0, 0.2)))
        chance = random.choice((0, 0.3, 0.6))
        bench.sink.set_pause_generator(stalls(chance))
        _, status, found = await run(bench, case, random.choice((0, 0.3)))
        wanted = wanted_of(case["wanted"])
        got = [word for record in found for word in record]
        assert got == wanted, f"{case['name']}: {got} is not {wanted}"
        assert not status & BITS["overflow"]
        assert await bench.get_count("PACKETS") == len(found)
        assert await bench.get_count("DROPPED") == 0
        total += len(found)
        print(f"same {case['name']}: {len(found)} records")
    assert total > len(PLAN["cases"])


@cocotb.test()
async def overflow(dut):
    """A sink that hardly ever is ready: what is lost is counted, and a loss record stands there; what
    comes is in order, and what nfarun says."""
    random.seed(PLAN["seed"] + 4)
    bench = await Bench(dut).start()
    case = PLAN["overflow"]
    bench.sink.set_pause_generator(stalls_then(len(batches_of(case)), 0.97, 0.3))
    words = wanted_of(case["wanted"])
    wanted, lost = {}, 0
    while words:
        count = bin(words[1]).count("1")
        wanted[words[0]] = (words[:3 + count], count)
        del words[:3 + count]
    _, status, found = await run(bench, case, 0)
    seen, last = 0, -1
    for record in found:
        assert record[0] >= last
        last = record[0]
        if record[1] == 0:
            lost += record[3]
            continue
        assert record == wanted[record[0]][0]
        seen += wanted[record[0]][1]
    total = sum(count for _, count in wanted.values())
    assert status & BITS["overflow"] and lost > 0 and seen > 0
    assert seen + lost == total, f"{seen} messages came, {lost} were lost, of {total}"
    assert await bench.get_count("DROPPED") == lost
    print(f"overflow: {seen} messages came, {lost} were lost")
