# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""A filter in a test with cocotb, which fails the test when it accepts.

    from nfart.cocotb import Watch
    watch = Watch("rules.bin", dut.tap, dut.aclk)
    ...
    watch.end()

What is watched is a module that `nfacc --emit=tap` writes, or a bus of cocotbext-axi, or monitors of its
channels. It needs cocotb 1.x or 2.x; cocotbext-axi is needed for a bus alone.
"""
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Union

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge

from . import Batch, Image, Match, Monitor, Path, Protocol

__all__ = ["Accepted", "Watch"]

CHANNELS = "aw", "ar", "w", "b", "r"

#: What signals say that a bus does not have, where that is not 0; ones for each bit that there is.
ABSENT = {"strb": -1, "size": 2, "burst": 1, "last": 1}


class Accepted(AssertionError):
    """A filter has accepted: its text is that of nfarun --explain. `match` is the Match."""

    def __init__(self, match: Match, protocol: Protocol) -> None:
        before = "".join(f"\nbefore: {b.time} {_words(b, protocol)}" for b in match.before)
        super().__init__(match.text.rstrip("\n") + before)
        self.match = match


def _words(batch: Batch, protocol: Protocol) -> str:
    if batch.lost is not None:
        return "loss"
    return ", ".join(str(protocol.decode(s, h)) for s, h in zip(batch.slots, batch.headers))


def _bits(value: Any) -> int:
    """The value of a signal, with 0 for each bit that is neither 0 nor 1: slots without a message may be
    x."""
    return int("".join(d if d in "01" else "0" for d in str(value)), 2)


class _Tap:
    """The outputs of a module that nfacc --emit=tap writes."""

    def __init__(self, handle: Any, protocol: Protocol) -> None:
        self._handle = handle
        slots = len(handle.s_present)
        if slots != len(protocol.slots):
            raise ValueError(f"the tap has {slots} slots, and protocol {protocol.name} has "
                             f"{len(protocol.slots)}")
        self._width = len(handle.s_header) // slots

    def take(self, cycle: int) -> Tuple[int, Optional[Batch]]:
        """Returns the number of the current cycle, and its batch if it has one."""
        tap = self._handle
        time = _bits(tap.s_time.value)
        if not _bits(tap.s_valid.value):
            return time, None
        return time, Batch.of_tap(time, _bits(tap.s_present.value), _bits(tap.s_header.value),
                                  self._width)


def _widest(works: Callable[[int], Any], most: int = 64) -> int:
    """The most bits of a value that a function takes without ValueError."""
    for bits in range(most, 0, -1):
        try:
            works((1 << bits) - 1)
            return bits
        except ValueError:
            pass
    return 0


class _Type:
    """A type of message, and how wide what it keeps is."""

    def __init__(self, protocol: Protocol, name: str) -> None:
        self._protocol, self._name = protocol, name
        slot, header = protocol.message(name)
        has = protocol.decode(slot, header)
        self._address = 0 if has.address is None else _widest(
            lambda value: protocol.message(name, address=value))
        self._fields = {field: _widest(lambda value: protocol.set_field(field, slot, header, value))
                        for field in has.fields if field != "offset"}

    def message(self, values: Dict[str, int]) -> Tuple[int, int]:
        """Returns the message of these values. What the type does not keep is left out, and so are the
        high bits for which it has no room, as a tap does."""
        kept = {field: values[field] & (1 << bits) - 1 for field, bits in self._fields.items()
                if field in values}
        address = values.get("addr", 0) & (1 << self._address) - 1
        return self._protocol.message(self._name, address=address, **kept)


class _Channels:
    """Monitors of channels of cocotbext-axi, of AXI4 or AXI4-Lite. They see what is accepted, not what
    waits."""

    def __init__(self, monitors: Iterable[Any], protocol: Protocol) -> None:
        self._monitors: List[Tuple[str, List[str], Any]] = []
        self._types: Dict[str, _Type] = {}
        for monitor in monitors:
            channel = next((c for c in CHANNELS if hasattr(getattr(monitor, "bus", None), c + "valid")),
                           None)
            if channel is None:
                raise TypeError(f"{type(monitor).__name__} is no monitor of a channel of AXI")
            names = [name[len(channel):] for name in monitor._signals + monitor._optional_signals
                     if hasattr(monitor.bus, name) and not name.endswith(("valid", "ready"))]
            self._monitors.append((channel, names, monitor))
            for last in ("", "LAST") if protocol.name == "axi4" and channel in "wr" else ("",):
                self._types[channel.upper() + last] = _Type(protocol, channel.upper() + last)

    def take(self, cycle: int) -> Tuple[int, Optional[Batch]]:
        messages = []
        for channel, names, monitor in self._monitors:
            while not monitor.empty():
                seen = monitor.recv_nowait()
                values = dict(ABSENT)
                values.update((name, _bits(getattr(seen, channel + name))) for name in names)
                name = channel.upper() + ("LAST" if values["last"] else "")
                if name not in self._types:
                    name = channel.upper()
                messages.append(self._types[name].message(values))
        return cycle, Batch.of(cycle, *messages) if messages else None


def _channels_of(bus: Any, clock: Any, reset: Any, reset_active_level: bool) -> List[Any]:
    """Makes a monitor for each channel of an AxiBus or AxiLiteBus."""
    from cocotbext.axi import axi_channels, axil_channels
    found = []
    for half, names in (bus.write, ("aw", "w", "b")), (bus.read, ("ar", "r")):
        for name in names:
            channel = getattr(half, name, None)
            if channel is not None:
                kind = type(channel).__name__[:-len("Bus")] + "Monitor"
                maker = getattr(axil_channels, kind, None) or getattr(axi_channels, kind)
                found.append(maker(channel, clock, reset, reset_active_level))
    return found


class Watch:
    """Gives what happens on a bus to a filter, clock edge by clock edge. When the filter accepts, the test
    fails with Accepted.

    `image` is an Image, or its file. `source` is one of

    - the instance of a module that nfacc --emit=tap writes,
    - an AxiLiteBus or AxiBus of cocotbext-axi, for an image of protocol axi4-lite or axi4; `reset` is
      that of the bus,
    - monitors of channels of cocotbext-axi, such as AxiLiteAWMonitor, whose queues nobody else reads.

    Without `at_once` the test goes on, and end() raises Accepted for the first match. `before` is how
    many batches before a match are told. `matches` has all matches so far."""

    def __init__(self, image: Union[Image, Path], source: Any, clock: Any, reset: Any = None,
                 reset_active_level: bool = True, before: int = 4, at_once: bool = True,
                 lines: bool = False) -> None:
        self.image = image if isinstance(image, Image) else Image(image)
        self._monitor = Monitor(self.image, lines=lines, before=before)
        #: All matches so far.
        self.matches: List[Match] = []
        self._at_once, self._clock = at_once, clock
        protocol = self.image.protocol
        if hasattr(source, "s_present"):
            self._source: Union[_Tap, _Channels] = _Tap(source, protocol)
        else:
            if hasattr(source, "write") and hasattr(source, "read"):
                source = _channels_of(source, clock, reset, reset_active_level)
            elif not isinstance(source, (list, tuple)):
                source = [source]
            self._source = _Channels(source, protocol)
        self._ended = False
        self._task = cocotb.start_soon(self._run())

    async def _run(self) -> None:
        cycle = 0
        while True:
            await RisingEdge(self._clock)
            await ReadOnly()  # now tap and monitors have the messages of this edge
            time, batch = self._source.take(cycle)
            cycle += 1
            if batch is not None:
                self._took(self._monitor.put(batch))
            elif self.image.tick:
                self._took(self._monitor.until(time))

    def _took(self, found: List[Match]) -> None:
        self.matches += found
        if found and self._at_once:
            self._ended = True
            raise Accepted(found[0], self.image.protocol)

    def end(self) -> None:
        """Ends the stream, so that filters with `end` are decided, and raises Accepted if anything
        matched."""
        if not self._ended:
            self._ended = True
            if cocotb.__version__.startswith("1."):
                self._task.kill()
            else:
                self._task.cancel()
            self.matches += self._monitor.end()
        if self.matches:
            raise Accepted(self.matches[0], self.image.protocol)
