# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""Traces of hardware events, and the filters that nfacc compiles for them, over libnfart.

    import nfart
    image = nfart.Image("inflight.bin")
    for label, n in nfart.count(image, "inflight.bt").items():
        print(label, n)

An image has the protocol that is needed to read a trace. Results of whole traces are columns: numpy
arrays if numpy is installed, else memoryviews, which have len(), [] and tolist(), too.
"""
import os
from array import array
from ctypes import byref, c_int, c_size_t, c_uint64, create_string_buffer, string_at
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from . import _library as _c
from ._library import lib as _lib

try:
    import numpy as _numpy
except ImportError:
    _numpy = None  # type: ignore[assignment]

__all__ = ["Batch", "Engine", "Error", "Filter", "Image", "Matches", "Messages", "PAIR_OUTCOMES",
           "Pairs", "Protocol", "Reader", "Result", "count", "matches", "messages", "pairs"]

Path = Union[str, "os.PathLike[str]"]
Column = Any  # numpy.ndarray, or memoryview

#: What became of a request, by the numbers in Pairs.outcome.
PAIR_OUTCOMES: Tuple[str, ...] = ("answered", "open", "replaced", "lost", "unasked")


class Error(Exception):
    """What the library could not do.

    `status` is a value of enum nfart_status. If `file` is not empty, the error is in that file, at
    `line` and `column`, which count from 1; 0 means that there is no such place.
    """

    def __init__(self, status: int, what: str, file: str = "", line: int = 0, column: int = 0) -> None:
        place = "".join(f"{p}:" for p in (file, line, column) if p)
        super().__init__(f"{place} {what}" if place else what)
        self.status, self.what, self.file, self.line, self.column = status, what, file, line, column


def _error(e: "_c.nfart_error") -> Error:
    return Error(e.status, e.what.decode(errors="replace"), e.file.decode(errors="replace"), e.line,
                 e.column)


def _no_memory() -> Error:
    return Error(_c.STATUSES["NFART_SYSTEM"], "out of memory")


def _text(name: Optional[bytes]) -> Optional[str]:
    return None if name is None else name.decode(errors="replace")


def _column(values: Any) -> Column:
    return memoryview(values) if _numpy is None else _numpy.asarray(values)


class _Object:
    """An object of the library. close() frees it; so does the end of a `with` block."""

    _free: Callable[[int], None]

    def __init__(self, address: Optional[int], e: "_c.nfart_error") -> None:
        self._address: Optional[int] = None
        if not address:
            raise _error(e)
        self._address = address

    @property
    def _open(self) -> int:
        if self._address is None:
            raise ValueError(f"this {type(self).__name__} is closed")
        return self._address

    def close(self) -> None:
        if getattr(self, "_address", None) is not None:
            type(self)._free(self._open)
        self._address = None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


# ---- protocols and images ----

class Protocol:
    """The protocol of an image: its slots, types, fields and rules for pairs."""

    def __init__(self, image: "Image") -> None:
        self._image = image  # the protocol belongs to it
        self._p = _lib.nfart_image_proto(image._open)
        self.name: str = _lib.nfart_proto_name(self._p).decode()
        #: The names of the slots, such as "cpu@6".
        self.slots: List[str] = [self._slot_name(i) for i in range(_lib.nfart_proto_nslots(self._p))]
        #: The names of the fields.
        self.fields: List[str] = [_lib.nfart_proto_field_name(self._p, i).decode()
                                  for i in range(_lib.nfart_proto_nfields(self._p))]
        #: The names of the rules for pairs.
        self.pairs: List[str] = [_lib.nfart_proto_pair_name(self._p, i).decode()
                                 for i in range(_lib.nfart_proto_npairs(self._p))]

    @property
    def _open(self) -> int:
        # After the image was closed this raises.
        return self._image._open and self._p

    def _slot_name(self, slot: int) -> str:
        out = create_string_buffer(96)
        _lib.nfart_proto_slot_name(self._p, slot, out, len(out))
        return out.value.decode()

    def slot(self, name: str) -> int:
        """Returns the number of a slot."""
        return self.slots.index(name)

    def type(self, slot: int, header: int) -> Optional[str]:
        """Returns the name of a message's type, or None if its opcode has none."""
        return _text(_lib.nfart_proto_type(self._open, slot, header))

    def address(self, slot: int, header: int) -> Optional[int]:
        """Returns the byte address of a message's line, or None if the message has no address."""
        value = c_uint64()
        return value.value if _lib.nfart_proto_address(self._open, slot, header, byref(value)) else None

    def field(self, name: str, slot: int, header: int) -> Optional[int]:
        """Returns the value of a field, or None if the message lacks it."""
        value = c_uint64()
        found = _lib.nfart_proto_field(self._open, self.fields.index(name), slot, header, byref(value))
        return value.value if found else None

    def header(self, slot: int, type: str, address: int = 0) -> int:
        """Returns the header of a message of this type for the line at a byte address."""
        value = c_uint64()
        if not _lib.nfart_proto_header(self._open, slot, type.encode(), address, byref(value)):
            raise ValueError(f"{self.slots[slot]} has no message {type} for address {address:#x}")
        return value.value


class Image(_Object):
    """An image, as nfacc writes it: the name of its file, or its bytes."""

    _free = staticmethod(_lib.nfart_image_free)

    def __init__(self, source: Union[Path, bytes]) -> None:
        e = _c.nfart_error()
        if isinstance(source, bytes):
            super().__init__(_lib.nfart_image_load(source, len(source), b"image", byref(e)), e)
        else:
            super().__init__(_lib.nfart_image_open(os.fsencode(source), byref(e)), e)
        names = _lib.nfart_image_labels(self._open)
        #: The labels, and after them the outputs of machines, with names that begin with "|".
        self.labels: List[str] = [names[i].decode() for i in range(_lib.nfart_image_nlabels(self._open))]
        self.protocol = Protocol(self)
        #: Batches that are output before and after an accepted one.
        self.window: Tuple[int, int] = (_lib.nfart_image_window(self._open),
                                        _lib.nfart_image_window_after(self._open))
        self.limit: int = _lib.nfart_image_limit(self._open)
        self.tick: int = _lib.nfart_image_tick(self._open)
        self.key: Optional[str] = _text(_lib.nfart_image_key(self._open))
        self.states: int = _lib.nfart_image_nstates(self._open)


# ---- traces ----

class Batch(NamedTuple):
    """The messages of one clock cycle. If `lost` is not None this is a loss record: so many messages
    were lost, or an unknown number if it is -1."""

    time: int
    slots: Tuple[int, ...] = ()
    headers: Tuple[int, ...] = ()
    lost: Optional[int] = None


def _batch_of(b: "_c.nfart_batch") -> Batch:
    if b.mask == 0 and b.when == 0:
        return Batch(b.time, lost=-1 if b.lost == _c.LOST_UNKNOWN else b.lost)
    slots = tuple(s for s in range(_c.SLOTS) if b.mask >> s & 1)
    return Batch(b.time, slots, tuple(b.header[s] for s in slots))


def _fill(b: "_c.nfart_batch", batch: Batch) -> None:
    b.time, b.mask, b.when, b.lost = batch.time, 0, 0, 0
    if batch.lost is not None:
        b.lost = _c.LOST_UNKNOWN if batch.lost < 0 else batch.lost
    for slot, header in zip(batch.slots, batch.headers):
        if not 0 <= slot < _c.SLOTS:
            raise ValueError(f"there is no slot {slot}")
        b.mask |= 1 << slot
        b.header[slot] = header


class Reader(_Object):
    """Reads a trace: the name of its file ("-": standard input), or its bytes. `format` is a name that
    nfarun --from knows; None: the first bytes decide. Iterating gives Batches."""

    _free = staticmethod(_lib.nfart_reader_free)

    def __init__(self, source: Union[Path, bytes], protocol: Protocol, format: Optional[str] = None,
                 strict: bool = False, map: Optional[str] = None) -> None:
        e, o = _c.nfart_error(), _c.nfart_reader_options(strict=strict)
        number = c_int()
        if format is not None and not _lib.nfart_format_parse(format.encode(), byref(number)):
            raise ValueError(f"there is no format {format}")
        o.format = number.value
        self._source, self._protocol = source, protocol  # the reader borrows them
        if map is not None:
            o.map = map.encode()
        if isinstance(source, bytes):
            address = _lib.nfart_reader_memory(source, len(source), b"trace", protocol._open, byref(o),
                                               byref(e))
        else:
            address = _lib.nfart_reader_open(os.fsencode(source), protocol._open, byref(o), byref(e))
        super().__init__(address, e)
        self._batch = _c.nfart_batch()

    def _next(self) -> bool:
        """Reads the next record into self._batch. False: there are no more."""
        self._protocol._open
        e = _c.nfart_error()
        got = _lib.nfart_reader_next(self._open, byref(self._batch), byref(e))
        if got < 0:
            raise _error(e)
        return bool(got)

    def __iter__(self) -> Iterator[Batch]:
        while self._next():
            yield _batch_of(self._batch)

    @property
    def format(self) -> str:
        return _lib.nfart_format_name(_lib.nfart_reader_format(self._open)).decode()

    @property
    def stats(self) -> Dict[str, Any]:
        """What was read so far, as struct nfart_reader_stats has it."""
        s = _lib.nfart_reader_stats(self._open).contents
        return {name: _text(s.damage) if name == "damage" else getattr(s, name)
                for name, *_ in s._fields_}


# ---- engines and filters ----

class Result(NamedTuple):
    """What the filters say of a batch: the labels that accept it, with substreams the lines (or values
    of the key) as pairs (label, address), and whether it is logged."""

    labels: Tuple[str, ...]
    lines: Tuple[Tuple[str, int], ...]
    logged: bool


class Engine(_Object):
    """Runs an image batch by batch."""

    _free = staticmethod(_lib.nfart_engine_free)

    def __init__(self, image: Image, lines: bool = False, reset_on_loss: bool = False) -> None:
        e, o = _c.nfart_error(), _c.nfart_engine_options(lines=lines, reset_on_loss=reset_on_loss)
        self._image = image  # the engine borrows it
        super().__init__(_lib.nfart_engine_new(image._open, byref(o), byref(e)), e)
        self._batch, self._result = _c.nfart_batch(), _c.nfart_result()

    def step(self, batch: Batch) -> Result:
        self._image._open
        _fill(self._batch, batch)
        r = self._result
        if not _lib.nfart_engine_step(self._open, byref(self._batch), byref(r)):
            raise _no_memory()
        names = self._image.labels
        return Result(tuple(n for i, n in enumerate(names) if r.labels[i // 64] >> i % 64 & 1),
                      tuple((names[r.lines[i].label], r.lines[i].address) for i in range(r.nlines)),
                      r.logged)

    def reset(self) -> None:
        """Puts the engine back to its start states."""
        _lib.nfart_engine_reset(self._open)


class Matches(NamedTuple):
    """Columns of matches: time of the batch, index of the label, byte address of the line (0 if the
    match is of no line)."""

    time: Column
    label: Column
    address: Column


class Filter(_Object):
    """Runs an image at full speed, and gives matches as columns."""

    _free = staticmethod(_lib.nfart_filter_free)

    def __init__(self, image: Image, lines: bool = False, reset_on_loss: bool = False) -> None:
        e = _c.nfart_error()
        engine = _c.nfart_engine_options(lines=lines, reset_on_loss=reset_on_loss)
        o = _c.nfart_filter_options(engine=engine, matches=True)
        self._image = image  # the filter borrows it
        super().__init__(_lib.nfart_filter_new(image._open, byref(o), byref(e)), e)
        self._found = bytearray()

    def _fetch(self) -> None:
        n = c_size_t()
        at = _lib.nfart_filter_matches(self._open, byref(n))
        if n.value != 0:
            self._found += string_at(at, n.value * _c.sizeof_match)

    def _done(self, ok: bool) -> None:
        if not ok:
            raise _no_memory()
        self._fetch()

    def read(self, reader: Reader) -> None:
        """Filters all that a reader has left, and ends the stream."""
        self._image._open
        e, got = _c.nfart_error(), 1
        while got > 0:
            got = _lib.nfart_filter_read(self._open, reader._open, byref(e))
            self._fetch()
        if got < 0:
            raise _error(e)
        _lib.nfart_filter_until(self._open, _lib.nfart_reader_until(reader._open))
        self.end()

    def put(self, batch: Batch) -> None:
        """Filters one batch. Times must rise."""
        self._image._open
        b = _c.nfart_batch()
        _fill(b, batch)
        self._done(_lib.nfart_filter_put(self._open, byref(b)))

    def bytes(self, data: bytes, time: int) -> None:
        """Filters bytes for protocol `bytes`; `time` is the time of the first one."""
        self._image._open
        if self._image.protocol.name != "bytes":
            raise ValueError(f"bytes are no trace of protocol {self._image.protocol.name}")
        self._done(_lib.nfart_filter_bytes(self._open, data, len(data), time))

    def end(self) -> None:
        """Ends the stream: ticks and the end are filtered, where the image has them."""
        self._image._open
        self._done(_lib.nfart_filter_end(self._open))

    def matches(self) -> Matches:
        """Returns the matches since the last call of this function, by time, label and address."""
        found, self._found = bytes(self._found), bytearray()
        words, halves = memoryview(found).cast("Q"), memoryview(found).cast("I")
        size, m = _c.sizeof_match, _c.nfart_match
        return Matches(_column(words[m.time.offset // 8::size // 8]),
                       _column(halves[m.label.offset // 4::size // 4]),
                       _column(words[m.address.offset // 8::size // 8]))

    @property
    def counts(self) -> Dict[str, int]:
        """How many batches each label accepts so far."""
        s = _lib.nfart_filter_stats(self._open)
        return {name: s.labels[i] for i, name in enumerate(self._image.labels)}


# ---- whole traces ----

class Messages(NamedTuple):
    """Columns of messages: time, slot and header."""

    time: Column
    slot: Column
    header: Column


class Pairs(NamedTuple):
    """Columns of requests and what became of them: index of the rule, outcome (an index into
    PAIR_OUTCOMES), time, slot and header of the request, and those of the answer."""

    rule: Column
    outcome: Column
    time: Column
    slot: Column
    header: Column
    answer_time: Column
    answer_slot: Column
    answer_header: Column


def matches(image: Image, trace: Union[Path, bytes], lines: bool = False, **options: Any) -> Matches:
    """Returns the matches of an image in a trace. The options are those of Reader."""
    with Reader(trace, image.protocol, **options) as reader, Filter(image, lines) as f:
        f.read(reader)
        return f.matches()


def count(image: Image, trace: Union[Path, bytes], **options: Any) -> Dict[str, int]:
    """Returns how many batches of a trace each label accepts. The options are those of Reader."""
    with Reader(trace, image.protocol, **options) as reader, Filter(image) as f:
        f.read(reader)
        return f.counts


def messages(trace: Union[Path, bytes], protocol: Protocol, **options: Any) -> Messages:
    """Returns the messages of a trace. The options are those of Reader."""
    time, slot, header = array("Q"), array("B"), array("Q")
    with Reader(trace, protocol, **options) as reader:
        b = reader._batch
        while reader._next():
            left = b.mask
            while left:
                s = (left & -left).bit_length() - 1
                left &= left - 1
                time.append(b.time)
                slot.append(s)
                header.append(b.header[s])
    return Messages(_column(time), _column(slot), _column(header))


def pairs(trace: Union[Path, bytes], protocol: Protocol, **options: Any) -> Pairs:
    """Returns the requests of a trace, each with its answer, in the order in which their outcome was
    known. The options are those of Reader. Columns of the answer are 0 where there is none, and so are
    those of the request of an unasked answer."""
    columns = {name: array("B" if name in ("rule", "outcome", "slot", "answer_slot") else "Q")
               for name in Pairs._fields}

    def take(_: Any, at: Any) -> bool:
        for name, column in columns.items():
            column.append(getattr(at.contents, name))
        return True

    e, sink = _c.nfart_error(), _c.PairSink(take)
    with Reader(trace, protocol, **options) as reader:
        q = _lib.nfart_pairs_new(protocol._open, sink, None, byref(e))
        if not q:
            raise _error(e)
        try:
            ok = True
            while ok and reader._next():
                ok = _lib.nfart_pairs_put(q, byref(reader._batch))
            if not ok or not _lib.nfart_pairs_end(q):
                raise _no_memory()
        finally:
            _lib.nfart_pairs_free(q)
    return Pairs(*(_column(columns[name]) for name in Pairs._fields))
