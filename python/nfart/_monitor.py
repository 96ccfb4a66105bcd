# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""nfart.Monitor, which gives matches while a stream comes."""
from collections import deque
from ctypes import byref
from typing import Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

from . import (Batch, Image, Message, _error, _fill, _library as _c, _number, _Object, _open_image, _Order)

_lib = _c.lib


class Match(NamedTuple):
    """A batch that is accepted: its time, its messages in words, whether it has a `tick` or is the `end`
    of the stream; the labels that accept it, with substreams the lines (or values of the key) as pairs
    (label, address); `text`, the words of nfarun --explain; and the batches `before` it."""

    time: int
    labels: Tuple[str, ...]
    messages: Tuple[Message, ...]
    text: str
    lines: Tuple[Tuple[str, int], ...] = ()
    tick: bool = False
    end: bool = False
    before: Tuple[Batch, ...] = ()


class Monitor(_Object):
    """Runs an image on batches as they come, and returns each match at once: for a test that drives a
    simulation, such as one of cocotb. put(), until() and end() return a list of Matches. Times rise,
    except that a loss record may have the time of its neighbour. With `before` each match has the batches
    before it, so many. `tick` replaces that of the image, in cycles. After the limit of the image nothing
    matches any more."""

    def __init__(self, image: Image, lines: bool = False, reset_on_loss: bool = False, before: int = 0,
                 tick: Optional[int] = None) -> None:
        e = _c.nfart_error()
        o = _c.nfart_engine_options(lines=bool(lines), reset_on_loss=bool(reset_on_loss),
                                    tick=_number(tick or 0, "tick", 2 ** 32 - 1))
        address = _lib.nfart_explainer_new(_open_image(image), byref(o), byref(e))
        if not address:
            raise _error(e)
        super().__init__(_c.Handle(address, _lib.nfart_explainer_free, image._open))
        #: The image.
        self.image = image
        self._b, self._said = _c.nfart_batch(), _c.nfart_explained()
        self._before: "deque[Batch]" = deque(maxlen=_number(before, "before", 2 ** 31))
        self._counts = [0] * len(image.labels)
        self._order = _Order()

    def _match(self) -> Match:
        said, names = self._said, self.image.labels
        b, r, p = said.batch.contents, said.result, self.image.protocol
        labels = [i for i in range(len(names)) if r.labels[i // 64] >> i % 64 & 1]
        for i in labels:
            self._counts[i] += 1
        return Match(b.time, tuple(names[i] for i in labels),
                     tuple(p.decode(s, b.header[s]) for s in range(_c.SLOTS) if b.mask >> s & 1),
                     said.text.decode(errors="replace"),
                     tuple((names[r.lines[i].label], r.lines[i].address) for i in range(r.nlines)),
                     b.when & _c.WHENS["NFART_TICK"] != 0, b.when & _c.WHENS["NFART_END"] != 0,
                     tuple(self._before))

    def _took(self, ok: bool, e: "_c.nfart_error") -> List[Match]:
        found = []
        while ok:
            got = _lib.nfart_explainer_next(self._open, byref(self._said), byref(e))
            if got == 0:
                return found
            ok = got > 0
            if ok:
                found.append(self._match())
        raise _error(e)

    def put(self, batch: Batch) -> List[Match]:
        """Takes in the next batch, or loss record."""
        e = _c.nfart_error()
        with self._lock:
            self.image._open
            _fill(self._b, batch, self.image)
            self._order.takes(batch.time, batch.time, loss=batch.lost is not None)
            found = self._took(_lib.nfart_explainer_put(self._open, byref(self._b), byref(e)), e)
            self._before.append(batch)
            return found

    def until(self, time: int) -> List[Match]:
        """States that no batch comes any more at `time` or before, so that ticks up to it are due."""
        e = _c.nfart_error()
        with self._lock:
            self.image._open
            self._order.passes(_number(time, "time"))
            return self._took(_lib.nfart_explainer_until(self._open, time, byref(e)), e)

    def end(self) -> List[Match]:
        """Ends the stream: the end is filtered, if the image has one. Where the stream has ended this
        returns nothing."""
        e = _c.nfart_error()
        with self._lock:
            self.image._open
            self._open
            if self._order.ended:
                return []
            self._order.ended = True
            return self._took(_lib.nfart_explainer_end(self._open, byref(e)), e)

    def watch(self, batches: Iterable[Batch]) -> Iterator[Match]:
        """Puts in all batches, such as those of a Reader, ends the stream, and gives the matches."""
        for batch in batches:
            yield from self.put(batch)
        yield from self.end()

    @property
    def counts(self) -> Dict[str, int]:
        """How many batches each label accepts so far."""
        with self._lock:
            self._open
            return dict(zip(self.image.labels, self._counts))
