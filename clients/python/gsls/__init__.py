"""Keeps game servers listed in GSLS, the Game Server Listing Service, and reads its lists.

    import gsls

    with gsls.announce("https://list.example.com", fields) as announcement:
        announcement.update(players=5)

    for changes in gsls.watch("https://list.example.com", "region=eu"):
        print(len(changes.servers), "servers")

Python 3.8 or later, and nothing else. Its rules are those of docs/write-a-client.md. Times are in seconds.
"""

from __future__ import annotations

import asyncio
import atexit
import base64
import builtins  # `list` is a word of this client
import codecs
import concurrent.futures
import dataclasses
import datetime
import email.utils
import functools
import http.client
import io
import json
import logging
import math
import os
import random
import re
import socket
import ssl
import stat
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
import uuid
import zlib
from typing import Any, Callable, Dict, Generator, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple
from typing import TypedDict, TypeVar, Union

__version__ = "1.0.0"
__all__ = ["announce", "list", "find", "nearest", "watch", "report"]
__all__ += ["Announcement", "Watch", "Listing", "Changes", "Server", "Address", "Error", "Clock"]

FilePath = Union[str, "os.PathLike[str]"]
#: One URL, or those of several services with one list.
Urls = Union[str, Sequence[str]]
Log = Callable[[str], object]


# What the lists are made of


class Address(TypedDict):
    """A further address of a game server."""

    ip: str
    port: int


class _ListedServer(TypedDict):
    id: str
    host: str
    name: str
    port: int
    ip: str
    players: int
    max_players: int


class Server(_ListedServer, total=False):
    """A game server as the service tells it: a dict. Fields that a later service adds are in it too.

    `list` tells the first seven fields alone.
    """

    registered_at: str
    map: str
    mode: str
    version: str
    region: str
    #: Two capital letters.
    country: str
    #: By the service, from the address: the game server says none.
    country_found: bool
    #: Ms to beacons and back, by their ids.
    latency: Dict[str, int]
    #: Ms from the reader and back, as the service estimates it for `nearest`.
    near_ms: int
    password: bool
    tags: List[str]
    addresses: List[Address]
    meta: Dict[str, Any]
    protocol: str
    game: str
    #: Given by the operator of the service alone.
    labels: List[str]


@dataclasses.dataclass(frozen=True)
class Listing:
    """What `list` gives."""

    servers: List[Server]
    #: Nobody knows since then whether this is current; None: it is.
    stale_since: Optional[datetime.datetime]
    #: By which the service knows this list again.
    etag: Optional[str]


@dataclasses.dataclass(frozen=True)
class Changes:
    """What `watch` gives: the servers that match, and what has changed since the time before."""

    #: All that match now, by id.
    servers: Dict[str, Server]
    #: Those of them that are new, or have changed.
    changed: List[Server]
    #: The ids of those that have left, or match no longer.
    removed: List[str]
    #: Nobody knows since then whether this is current; None: it is.
    stale_since: Optional[datetime.datetime]


class Error(Exception):
    """Why a list could not be read, or a report was not taken, in printable words.

    They are those of the service, or what happened instead.
    """

    def __init__(self, words: str, status: int = 0, code: Optional[str] = None, retry_after: float = 0) -> None:
        super().__init__(_printable(words))
        #: Of HTTP; 0 without an answer.
        self.status = status
        #: Of the service, such as `invalid_query`; None if the answer has none.
        self.code = code
        #: So many seconds the service asks to wait.
        self.retry_after = retry_after


# What is public


def announce(
    url: str,
    fields: Mapping[str, Any],
    *,
    key: Optional[str] = None,
    token_file: Optional[FilePath] = None,
    timeout: float = 5.0,
    insecure: bool = False,
    measure: bool = True,
    log: Optional[Log] = None,
    clock: Optional[Clock] = None,
) -> Announcement:
    """Keeps a game server listed until it is stopped, in a thread of its own. Returns at once.

    `fields` are those of a broadcast (docs/api.md); without `server_ip` it is `auto`. `key` is that of the service,
    where it asks for one. In `token_file` the server token outlives the game server, which so keeps its id. `timeout`
    is that of one request. `insecure` takes any certificate. `measure` tells players how near they are, where the service
    has beacons. `log` is told each line of text; without it the logger
    `gsls` is, or the standard error where logging has no handler.

    Raises ValueError for a URL or a key that cannot be right, ValueError or TypeError for fields that are no JSON.
    """
    service = _Service(url, key, insecure)
    return Announcement(service, fields, token_file, timeout, measure, log, clock or Clock())


def list(
    url: Urls,
    *,
    previous: Optional[Listing] = None,
    key: Optional[str] = None,
    timeout: float = 5.0,
    insecure: bool = False,
    keep: Optional[FilePath] = None,
) -> Listing:
    """The whole list. With an earlier result as `previous`, one that has not changed is not sent again.

    Of several URLs each call asks the first one first. The file `keep` has the last list: where no service answers, its
    servers are the result, and `stale_since` is when they were current.

    Raises Error if it cannot be read, ValueError for a URL or a key that cannot be right.
    """
    services = _services(url, key, insecure)
    file = _ListFile(os.fspath(keep), _FIELDS_OF_THE_LIST) if keep else None
    try:
        listing = _first_of(services, lambda wire: _listing(wire, previous, timeout))
    except Error as error:
        is_refused = error.code is not None and error.status in (400, 401, 403)
        kept = file.read()[0] if file and not is_refused else None
        if kept is None:
            raise
        return Listing(*kept, None)
    if file:
        file.write(listing.servers, listing.stale_since or _now())
    return listing


def find(
    url: Urls,
    query: str = "",
    *,
    limit: Optional[int] = None,
    key: Optional[str] = None,
    timeout: float = 5.0,
    insecure: bool = False,
) -> List[Server]:
    """The servers that match, each once: all of them, or as many as `limit` says, here or in the query.

    `query` is that of `GET /servers` (docs/find.md), such as `region=eu&players=1..`. `timeout` is that of each page.
    Of several URLs each call asks the first one first.

    Raises Error if they cannot be read, ValueError for a URL or a key that cannot be right.
    """
    asked, most = _without_limit(query)
    most = most if limit is None else limit
    return _first_of(_services(url, key, insecure), lambda wire: _pages(wire, asked, most, timeout))


def nearest(
    url: Urls,
    query: str = "",
    *,
    limit: Optional[int] = None,
    key: Optional[str] = None,
    timeout: float = 5.0,
    insecure: bool = False,
) -> List[Server]:
    """As `find`, and the nearest first, unless the query has another order.

    It measures how far the beacons of the service are, which takes some seconds, and remembers that for a day.
    """
    asked, most = _without_limit(query)
    most = most if limit is None else limit
    services = _services(url, key, insecure)
    return _first_of(services, lambda wire: _pages(wire, [*asked, *_near(wire, asked, timeout)], most, timeout))


def watch(
    url: Urls,
    query: str = "",
    *,
    key: Optional[str] = None,
    timeout: float = 5.0,
    insecure: bool = False,
    keep: Optional[FilePath] = None,
    log: Optional[Log] = None,
    clock: Optional[Clock] = None,
) -> Watch:
    """The servers that match, and each change of them, for ever: for `for` and for `async for`.

    It follows a stream of the service, or polls where there is none. While the service is away it keeps what it
    knows, tells the log, and asks again; so it does with an error in the query. The options are those of `announce`.

    Of several URLs it follows the first that answers, and tries the first of all again each minute. The file `keep` has
    the last list, of a watch without a query: where no service answers at the start, it begins with those servers.

    Raises ValueError for a URL or a key that cannot be right, and for `keep` with a query.
    """
    if keep and query:
        raise ValueError("keep is for a watch without a query")
    file = _ListFile(os.fspath(keep), _FIELDS) if keep else None
    return Watch(_services(url, key, insecure), query, timeout, file, log, clock or Clock())


def report(
    url: Urls,
    id: str,
    reason: str,
    note: Optional[str] = None,
    *,
    key: Optional[str] = None,
    timeout: float = 5.0,
    insecure: bool = False,
) -> None:
    """Reports the game server of this id to the moderators of the service.

    `reason` is one of those that the service takes, `note` what else the moderators should know, where it takes notes.

    Of several URLs the first that answers gets it: another one is asked where there is no answer of GSLS, or where the
    service cannot take it now. Any other refusal is raised, such as `read_only` of a mirror.

    Raises Error if the report is not taken, ValueError for a URL or a key that cannot be right.
    """
    body = {"id": id, "reason": reason, **({"note": note} if note else {})}
    request = _Request("POST", "/report", {"Content-Type": "application/json"}, body)
    _first_of(_services(url, key, insecure), lambda wire: _sent(wire, request, timeout), is_write=True)


class Clock:
    """The time of one announcement or one watch. A test gives another one."""

    def __init__(self) -> None:
        self._woken = threading.Event()

    def now(self) -> float:
        """Seconds, of a clock that nobody sets."""
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        """Returns after this time, or as soon as `wake` was called."""
        until = self.now() + seconds
        # An Event of Python before 3.11 looks at the clock of the system: it may return too early.
        while not self._woken.is_set() and self.now() < until:
            self._woken.wait(until - self.now())

    def wake(self) -> None:
        """Ends this wait and all that follow. From any thread."""
        self._woken.set()


class Announcement:
    """A game server that is kept listed. `announce` makes it.

    As a context it stops at its end: `with` for threads, `async with` for asyncio. At the normal end of the program it
    stops too. All of it may be used from any thread.
    """

    def __init__(
        self,
        service: _Service,
        fields: Mapping[str, Any],
        token_file: Optional[FilePath],
        timeout: float,
        measure: bool,
        log: Optional[Log],
        clock: Clock,
    ) -> None:
        self._fields = {"server_ip": "auto", **_copied(fields)}
        self._token_file = os.fspath(token_file) if token_file else None
        self._service = service
        self._timeout = timeout
        self._clock = clock
        self._log = _Log(log, self._secrets)
        self._wire = _Wire(service)
        self._announcer = _Announcer()
        self._latency = _Latency() if measure else None
        self._beacons: Optional[_Beacons] = None
        self._measuring: Optional[threading.Thread] = None
        self._state = "starting"
        self._problem: Optional[str] = None
        self._told: Dict[str, str] = {}
        #: The credentials of the last request: its answer may repeat them.
        self._sent: Tuple[str, ...] = ()
        #: The id that was listed last.
        self._listed: Optional[str] = None
        self._stop_by: Optional[float] = None
        self._keeps_id = True
        self._is_token_kept = False
        self._is_stopped = False
        # A handler of a signal may stop it in the middle of an update.
        self._lock = threading.RLock()
        self._thread = threading.Thread(target=self._run, name="gsls", daemon=True)
        self._thread.start()
        atexit.register(self.stop)

    @property
    def state(self) -> str:
        """`starting`, `listed`, `failing` or `stopped`."""
        return "stopped" if self._is_stopped else self._state

    @property
    def id(self) -> Optional[str]:
        """Of the entry; None while there is none."""
        return self._announcer.id

    @property
    def problem(self) -> Optional[str]:
        """What went wrong last, in words; None while all is well."""
        return self._problem

    @property
    def verification(self) -> Optional[str]:
        """Whether the service has reached the game server, in the words that it told last; None if it told none."""
        return self._told.get("Server-Verification")

    @property
    def join_code(self) -> Optional[str]:
        """By which players find an unlisted game server; None if the service told none."""
        return self._told.get("Server-Join-Code")

    def update(self, fields: Optional[Mapping[str, Any]] = None, **more: Any) -> None:
        """Takes over these fields; the next ping tells them. Returns at once, and never raises."""
        try:
            copied = _copied({**(fields or {}), **more})
        except Exception as error:
            self._log.tell("fields", f"The update is not taken over: {_end_of(str(error))}", logging.WARNING)
            return
        with self._lock:
            self._fields = {**self._fields, **copied}

    def stop(self, keep_id: bool = True) -> None:
        """Takes the entry off the list. Is over within 2 s, and never raises.

        With a token file the id is kept for the next start; `keep_id=False` gives it up.
        """
        with self._lock:
            if self._stop_by is None:
                self._keeps_id = keep_id
                self._stop_by = time.monotonic() + _STOP
        self._wire.end()
        if self._beacons:
            self._beacons.end()
        self._clock.wake()
        if threading.current_thread() is not self._thread:
            self._thread.join(max(0.0, self._stop_by - time.monotonic()))
        self._is_stopped = True
        atexit.unregister(self.stop)

    def __enter__(self) -> Announcement:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def __aenter__(self) -> Announcement:
        return self

    async def __aexit__(self, *_: object) -> None:
        await _in_thread(self.stop)

    def _run(self) -> None:
        self._announcer.token = self._read_token() or _NO_TOKEN
        while self._stop_by is None:
            said = self._latency.said if self._latency else {}
            answer = self._wire.ask(self._announcer.request({**said, **self._fields}), self._timeout)
            if answer.status or self._stop_by is None:
                self._sleep(self._take(answer))
        self._wire.close()
        self._remove(self._stop_by)

    def _sleep(self, seconds: float) -> None:
        """Until the next request. If something is to be measured by then, a thread of its own does so."""
        until = self._clock.now() + seconds
        latency = self._latency
        if latency and latency.due < until and not (self._measuring and self._measuring.is_alive()):
            self._clock.wait(latency.due - self._clock.now())
            self._measure(latency)
        self._clock.wait(until - self._clock.now())

    def _measure(self, latency: _Latency) -> None:
        take = latency.begin(self._clock.now())
        # A stop that comes from here on ends it.
        beacons = self._beacons = _Beacons(self._service, self._timeout)
        if self._stop_by is not None:
            return
        measuring = threading.Thread(target=lambda: take(beacons.measure()), name="gsls beacons", daemon=True)
        try:
            measuring.start()
            self._measuring = measuring
        except RuntimeError:
            pass  # There is no thread now, and a latency is no reason to leave the list.

    def _take(self, answer: _Answer) -> float:
        """Seconds until the next request."""
        announcer = self._announcer
        token = announcer.token
        self._sent = (token, announcer.idempotency_key)
        turn = announcer.take(answer, self._log.clean)
        if self._latency:
            self._latency.heed(answer, self._clock.now(), announcer.interval)
        # Whoever reads that it is listed finds its token in the file.
        if announcer.token != token:
            self._keep_token(announcer.token)
        if turn.problem is None:
            self._tell_listed()
        else:
            self._state, self._problem = "failing", self._log.clean(turn.problem)
            pause = f"{turn.next} in {math.ceil(turn.pause)} s."
            self._log.tell("state", turn.problem, logging.WARNING, more=pause)
        for name, told in _TOLD_HEADERS.items():
            if turn.problem is None and name in answer.headers:
                self._told[name] = self._log.clean(answer.headers[name])
                self._log.tell(name, told + _end_of(self._told[name]))
        return turn.pause

    def _tell_listed(self) -> None:
        """Says so where it is new: at first, after a problem, and with another id."""
        before, self._listed = self._listed, self._announcer.id
        if self._state != "listed" or before != self._listed:
            how = "as" if before is None else "again as" if before == self._listed else "again, with the new id"
            self._log.tell("state", f"The game server is listed {how} {_end_of(self._log.clean(self._listed or ''))}")
        self._state, self._problem = "listed", None

    def _remove(self, stop_by: float) -> None:
        keeps_id = self._keeps_id and self._is_token_kept
        request = self._announcer.remove(self._fields, keeps_id)
        left = stop_by - time.monotonic()
        if request is None or left <= 0:
            return
        # The connection of the pings may have ended, and there is no second try.
        wire = _Wire(self._service)
        answer = wire.ask(request, left)
        wire.close()
        entry = _cut(self._log.clean(self._announcer.id or ""))
        if answer.is_success:
            gone = f"its token keeps the id {entry}" if keeps_id else f"the id {entry} is given up"
            self._log.tell("state", f"The game server left the list, and {gone}.")
        elif answer.code == "unknown_server":
            self._log.tell("state", "The game server had left the list before.")
        else:
            problem = answer.problem_of("remove", self._log.clean)
            self._log.tell("state", problem, logging.WARNING, more=f"The entry {entry} stays until it expires.")

    def _read_token(self) -> Optional[str]:
        if self._token_file is None:
            return None
        file = f"The token file {self._token_file}"
        try:
            text, is_private = _read_start(self._token_file)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            problem = f"{file} cannot be read: {_end_of(_words(error))} The broadcast claims a new id."
            self._log.tell("token", problem, logging.WARNING)
            return None
        token = _sendable(text.strip())
        self._is_token_kept = token is not None
        if token is None:
            self._log.tell("token", f"{file} holds no token. The broadcast claims a new id.", logging.WARNING)
        elif not is_private:
            words = f"Other users may read the token file {self._token_file}. Give it the mode 0600."
            self._log.tell("token", words, logging.WARNING)
        return token

    def _keep_token(self, token: str) -> None:
        self._is_token_kept = False
        if token == _NO_TOKEN:
            whose = f"in {self._token_file}" if self._token_file else f"of {_cut(self._log.clean(self._listed or ''))}"
            problem = f"The service refused the token {whose}. The next broadcast claims a new id."
            self._log.tell("token", problem, logging.WARNING)
        elif self._token_file is not None:
            try:
                _write_privately(self._token_file, token)
                self._is_token_kept = True
            except (OSError, ValueError) as error:
                problem = f"The token file {self._token_file} cannot be written: {_end_of(_words(error))}"
                self._log.tell("token", f"{problem} The next start gets another id.", logging.WARNING)

    def _secrets(self) -> Tuple[str, ...]:
        announcer = self._announcer
        return (*self._sent, announcer.token, announcer.idempotency_key, self._service.key)


class Watch:
    """The servers that match, and each change of them. `watch` makes it, and nothing is asked before the first step.

    It never ends by itself. `close` ends it, from any thread; as a context it is closed at its end. One thread or task
    at a time may ask for the next step.
    """

    #: A stream that is silent for so many seconds is dead: the service sends something every two seconds.
    silence = 5.0
    #: The first event of a stream comes within so many seconds, or at least a good part of it.
    first_event = 10.0

    def __init__(
        self,
        services: Sequence[_Service],
        query: str,
        timeout: float,
        file: Optional[_ListFile],
        log: Optional[Log],
        clock: Clock,
    ) -> None:
        self._feed = _Feed(query)
        self._wires = [_Wire(service) for service in services]
        self._choice = _Choice(len(services), clock.now)
        self._timeout = timeout
        self._file = file
        self._kept: Optional[_KeptList] = None
        #: The servers that are in the file, and when they were written there.
        self._written: Tuple[object, float] = (None, -math.inf)
        self._heard_at = _now()
        self._clock = clock
        self._log = _Log(log, lambda: (services[0].key,))
        self._polls_until = clock.now()
        self._problem: Optional[str] = None
        self._was_stale = False
        self._is_closed = False
        self._steps = self._follow()

    @property
    def problem(self) -> Optional[str]:
        """What went wrong last, in words; None while all is well."""
        return self._problem

    @property
    def _wire(self) -> _Wire:
        return self._wires[self._choice.at]

    def close(self) -> None:
        """Ends it at once, also while it waits for the next step."""
        self._is_closed = True
        for wire in self._wires:
            wire.end()
        self._clock.wake()
        try:
            self._steps.close()
        except ValueError:
            pass  # It runs in another thread, and ends there.
        self._write_file(is_last=True)

    def __iter__(self) -> Watch:
        return self

    def __next__(self) -> Changes:
        changes = next(self._steps)
        if self._is_closed:
            raise StopIteration
        return changes

    def __aiter__(self) -> Watch:
        return self

    async def __anext__(self) -> Changes:
        if self._is_closed:
            raise StopAsyncIteration
        try:
            changes = await _in_thread(lambda: next(self, None))
        except asyncio.CancelledError:
            self.close()
            raise
        if changes is None:
            raise StopAsyncIteration
        return changes

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Watch:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def _follow(self) -> Generator[Changes, None, None]:
        self._kept, problem = self._file.read() if self._file else (None, None)
        if problem:
            self._log.tell("file", problem, logging.WARNING)
        try:
            while not self._is_closed:
                try:
                    pause = yield from self._try_once()
                except _FAILURES as error:
                    pause = yield from self._fail(error)
                if not self._is_closed:
                    self._clock.wait(pause)
        finally:
            self._wire.close()
            if not self._is_closed:
                self._write_file(is_last=True)

    def _fail(self, error: Exception) -> Generator[Changes, None, float]:
        """Gives the pause until the next try: none while there is another URL."""
        seconds = self._wire.seconds
        self._wire.close()
        told, rest = self._choice.fail(error)
        if len(self._wires) > 1:
            self._polls_until = self._clock.now()
        if told is None:
            return 0.0
        pause = max(self._feed.pause_after(told), rest)
        self._tell_problem(told, pause, seconds)
        kept, self._kept = self._kept, None
        if kept and not self._feed.has_list and not self._is_closed:
            yield self._feed.take_kept(*kept)
        return pause

    def _try_once(self) -> Generator[Changes, None, float]:
        """One stream, or one poll. Gives the pause until the next."""
        if self._choice.is_return_due:
            self._wire.close()
            self._choice.go_back()
            self._polls_until = self._clock.now()
        is_stream_due = self._clock.now() >= self._polls_until
        response = None
        try:
            seconds = min(self._timeout, _RETURN_PATIENCE) if self._choice.is_returning else self._timeout
            response = self._wire.open(self._feed.request(is_stream_due), seconds)
            self._wire.allow(self._timeout)
            if response.status == 200 and _is_event_stream(response):
                return (yield from self._read_stream(response))
            answer = self._wire.read(response, _MOST_OF_A_LIST)
            changes = self._feed.take_answer(answer)
        except (_Silence, Error) as error:
            # A proxy may keep streams back, and a service has so many and no more.
            if not is_stream_due or (isinstance(error, Error) and error.code != "too_many_streams"):
                raise
            if response is None and len(self._wires) > 1:
                raise
            self._wire.close()
            self._polls_until = self._clock.now() + _POLLING
            return 0.0
        if is_stream_due:
            self._polls_until = self._clock.now() + _POLLING
        self._tell_well()
        if changes:
            yield changes
        return _POLL_INTERVAL

    def _read_stream(self, response: http.client.HTTPResponse) -> Generator[Changes, None, float]:
        events = _EventStream()
        is_heard, progress = False, 0
        self._feed.begin_stream()
        self._wire.allow(self.first_event)
        try:
            for piece in self._wire.pieces(response):
                for event in events.push(piece):
                    is_up_to_date, changes = self._feed.take_event(event)
                    if is_up_to_date:
                        is_heard = True
                        self._tell_well()
                    if changes:
                        yield changes
                if self._choice.is_return_due:
                    return 0.0
                progress += len(piece)
                if is_heard:
                    self._wire.allow(self.silence)
                elif progress >= _PROGRESS:
                    progress = 0
                    self._wire.allow(self.first_event)
        except _BROKEN as error:
            if not is_heard:
                raise
            if isinstance(error, _Silence):
                self._wire.close()
                return 0.0
        self._wire.close()
        if not is_heard:
            raise Error("the stream has ended before it told anything")
        return self._feed.pause_after_stream(events.retry)

    def _tell_problem(self, error: Exception, pause: float, seconds: float) -> None:
        if self._is_closed:
            return
        if not isinstance(error, Error):
            problem = f"The service did not answer: {_end_of(_words(error, seconds))}"
        elif error.code is not None:
            problem = f"The service refused the query ({error.status}): {_end_of(self._log.clean(str(error)))}"
        elif str(error) == _NOT_OF_GSLS:
            problem = f"The answer is none of GSLS ({error.status or 200})."
        else:
            problem = f"The service did not answer: {_end_of(str(error))}"
        self._problem = self._log.clean(problem)
        self._log.tell("state", problem, logging.WARNING, more=f"The next try is in {math.ceil(pause)} s.")

    def _tell_well(self) -> None:
        if self._problem is not None:
            self._log.tell("state", "The service answers again.")
        self._problem = None
        if self._feed.is_stale and not self._was_stale:
            self._log.tell("list", "The service says that its list is not current.", logging.WARNING)
        elif self._was_stale and not self._feed.is_stale:
            self._log.tell("list", "The list is current again.")
        self._was_stale = self._feed.is_stale
        self._choice.answered()
        self._heard_at = _now()
        self._write_file()

    def _write_file(self, is_last: bool = False) -> None:
        """Writes the list if it is due: the last one is in any case."""
        written, at = self._written
        servers, now = self._feed.servers, self._clock.now()
        if self._file is None or not self._feed.has_list:
            return
        if is_last or now - at >= (_REWRITE if written is servers else _LEAST_REWRITE):
            self._written = servers, now
            problem = self._file.write([*servers.values()], self._feed.stale_since or self._heard_at)
            if problem:
                self._log.tell("file", problem, logging.WARNING)


# The rules, without a clock, a socket or a file


class _Request(NamedTuple):
    method: str
    #: With its query.
    path: str
    headers: Mapping[str, str]
    body: Optional[Mapping[str, Any]] = None


class _Answer(NamedTuple):
    #: 0 without an answer.
    status: int
    headers: http.client.HTTPMessage
    #: The value of its JSON; None of anything else.
    body: Any = None
    #: Why there is no answer.
    problem: str = ""

    @property
    def members(self) -> Mapping[str, Any]:
        """Of an object of JSON; none of anything else, such as the page of a proxy."""
        return self.body if isinstance(self.body, dict) else {}

    @property
    def is_of_gsls(self) -> bool:
        """Each answer of GSLS has a status in its body, and is no redirect."""
        return isinstance(self.members.get("status"), str) and self.status // 100 != 3

    @property
    def is_success(self) -> bool:
        return self.status == 200 and self.members.get("status") == "success"

    @property
    def code(self) -> Optional[str]:
        return _text_of(self.members.get("code")) if self.is_of_gsls else None

    @property
    def location(self) -> Optional[str]:
        """Where a redirect leads."""
        return (self.headers.get("Location") or None) if self.status // 100 == 3 else None

    @property
    def reason(self) -> str:
        """Why it is no success, for who reads a list."""
        if self.problem:
            return self.problem
        if self.location is not None:
            return f"it leads to {self.location}, and a redirect is not followed"
        return _text_of(self.members.get("error")) or _NOT_OF_GSLS

    def problem_of(self, what: str, clean: Callable[[str], str]) -> str:
        """Why it is no success, in a sentence. `what` was asked for: a broadcast, a ping or a remove.

        The words of the service are made clean before they are cut: half a secret is one, too.
        """
        if self.status == 0:
            return f"The service did not answer: {_end_of(clean(self.problem))}"
        if self.location is not None:
            where = _cut(clean(self.location))
            return f"The answer leads to {where}, and no redirect is followed ({self.status})."
        error = _text_of(self.members.get("error"))
        if self.is_of_gsls and error:
            return f"The service refused the {what} ({self.status}): {_end_of(clean(error))}"
        return f"The answer is none of GSLS ({self.status})."


class _Turn(NamedTuple):
    #: Seconds until the next request.
    pause: float
    #: Why it was no success, in a sentence; None if it was one.
    problem: Optional[str] = None
    #: How the sentence about the next request begins.
    next: str = ""


_random = random.SystemRandom()  # that no seed of a game makes equal

_NO_TOKEN = "claim"
_PING_INTERVAL = 20.0  # until the service has told its own
_WAIT_FOR_A_PERSON = 300.0
_STOP = 1.8  # of two seconds, with what else is at the end of a program
_LONGEST_REASON = 300
_TOLD_HEADERS = {
    "Server-Verification": "The service says of its look at the game server: ",
    "Server-Join-Code": "Players find the game server by the join code ",
}
_BROADCAST_AGAIN = ("unknown_server", "ip_mismatch", "idempotency_key_used")
_CLAIM_AGAIN = ("not_owner", "server_token_required")


class _Announcer:
    """What an announcement sends next, and when: "How a client announces" in docs/write-a-client.md."""

    def __init__(self) -> None:
        self.id: Optional[str] = None
        self.token = _NO_TOKEN
        self.idempotency_key = str(uuid.uuid4())
        self.interval = _PING_INTERVAL
        self._failures = 0
        self._may_claim = True

    def request(self, fields: Mapping[str, Any]) -> _Request:
        if self.id is None:
            return self._post("/broadcast", fields, {"Idempotency-Key": self.idempotency_key})
        return self._post("/ping", {**fields, "server_id": self.id})

    def remove(self, fields: Mapping[str, Any], keeps_id: bool) -> Optional[_Request]:
        """None without an entry."""
        if self.id is None:
            return None
        body = {"server_id": self.id, "server_ip": fields.get("server_ip")}
        return self._post("/remove", {**body, "keep_id": True} if keeps_id else body)

    def take(self, answer: _Answer, clean: Callable[[str], str]) -> _Turn:
        known = self.id
        if answer.is_success and self._succeed(answer):
            # Those that began together ping at different times, from the first ping on.
            factor = _random.random() if known is None else _random.uniform(0.9, 1.1)
            return _Turn(self.interval * factor)
        code, what = answer.code, "broadcast" if known is None else "ping"
        problem = answer.problem_of(what, clean)
        if code in _BROADCAST_AGAIN:
            self._begin_anew()
            if code == "unknown_server" and known is not None:
                problem = f"The service does not know the id {_cut(clean(known))} any more."
            return _Turn(self.interval * _random.random(), problem, "A new broadcast follows")
        # What no service has issued, such as a file that another program wrote.
        is_damaged = code == "invalid_request" and known is None and self.token != _NO_TOKEN
        if code in _CLAIM_AGAIN or is_damaged:
            pause = self.interval * _random.random() if self._may_claim else _WAIT_FOR_A_PERSON
            self._begin_anew()
            self.token = _NO_TOKEN
            self._may_claim = False
            return _Turn(pause, problem, "A new broadcast follows")
        pause = _WAIT_FOR_A_PERSON
        is_passing = not answer.is_of_gsls or answer.status in (408, 429) or answer.status >= 500
        if is_passing or code == "address_taken":
            pause = max(_growing_pause(self._failures, self.interval), _retry_after(answer.headers))
            self._failures += 1
        return _Turn(pause, problem, f"The next {what} is")

    def _post(self, path: str, body: Mapping[str, Any], headers: Mapping[str, str] = {}) -> _Request:
        told = {"Content-Type": "application/json", "Server-Token": self.token, **headers}
        return _Request("POST", path, told, body)

    def _succeed(self, answer: _Answer) -> bool:
        told = _text_of(answer.members.get("server_id"))
        if self.id is None and told is None:
            return False
        self._may_claim = self._may_claim or self.id is not None
        self.id = self.id or told
        self._failures = 0
        self.token = _sendable(answer.headers.get("Server-Token")) or self.token
        interval = answer.headers.get("Server-Ping-Interval", "")
        if re.fullmatch(r"[0-9]{1,7}(\.[0-9]{1,9})?", interval) and 1 <= float(interval) <= 1_000_000:
            self.interval = float(interval)
        return True

    def _begin_anew(self) -> None:
        self.id = None
        self.idempotency_key = str(uuid.uuid4())
        self._failures = 0


_MEASURING = 3600.0  # until it is measured again


class _Latency:
    """When an announcement measures, and what it says of that: "How a client measures" in docs/write-a-client.md."""

    def __init__(self) -> None:
        self.due = math.inf
        #: The field, once there is something to say.
        self.said: Dict[str, Any] = {}
        self._mark: Optional[str] = None

    def heed(self, answer: _Answer, now: float, interval: float) -> None:
        """Of a broadcast or a ping."""
        mark = answer.headers.get("Server-Beacons") if answer.is_success else self._mark
        if not mark:
            self.due, self.said = math.inf, {}
        elif mark != self._mark or answer.code == "ip_mismatch":
            self.due = now + interval * _random.random()
        self._mark = mark

    def begin(self, now: float) -> Callable[[Dict[str, int]], None]:
        """What takes the result: it counts unless the beacons have changed meanwhile."""
        self.due = now + _MEASURING * _random.uniform(0.9, 1.1)
        mark = self._mark

        def take(latency: Dict[str, int]) -> None:
            if mark == self._mark:
                self.said = {"latency": latency} if latency else {}

        return take


_LONGEST_PAUSE = 30.0
_SHORTEST_PAUSE = 0.1  # of a stream, whatever it says
_POLL_INTERVAL = 2.0
_POLLING = 60.0  # until a stream is tried again
_RETURN = 60.0  # until the first of several URLs is tried again
_RETURN_PATIENCE = 2.0  # with it: meanwhile no change is heard
_LEAST_REWRITE = 5.0  # of the file with the list
_REWRITE = 60.0  # of one that has not changed: the file says when it was current
_PROGRESS = 8192  # bytes of a first event, which may be large where a connection is slow
_PAGE = 1000
_MOST_PAGES = 1000
_Fields = Mapping[str, Tuple[type, ...]]
_FIELDS_OF_THE_LIST: _Fields = {
    **dict.fromkeys(("id", "host", "name", "ip"), (str,)),
    **dict.fromkeys(("port", "players", "max_players"), (int, float)),
}
_FIELDS: _Fields = {**_FIELDS_OF_THE_LIST, "registered_at": (str,)}


class _Event(NamedTuple):
    name: str
    data: Optional[str]
    id: Optional[str]


class _Feed:
    """What a watch knows, and what it makes of what it is told: "How a client reads" in docs/write-a-client.md."""

    def __init__(self, query: str) -> None:
        self._query = _parts_of(query)
        #: Another dictionary after each change.
        self.servers: Dict[str, Server] = {}
        #: Of these servers; None before there are any.
        self._tag: Optional[str] = None
        self.stale_since: Optional[datetime.datetime] = None
        #: As it was told last. It counts once the reader is up to date.
        self._told_stale_since: Optional[datetime.datetime] = None
        self._failures = 0

    def request(self, is_stream: bool) -> _Request:
        since = [f"since={_quote(self._tag)}"] if self._tag is not None else []
        query = "&".join([*self._query, *since])
        accept = "text/event-stream" if is_stream else "application/json"
        return _Request("GET", f"/changes?{query}" if query else "/changes", {"Accept": accept})

    @property
    def has_list(self) -> bool:
        """A service has told it."""
        return self._tag is not None

    @property
    def is_stale(self) -> bool:
        return self.stale_since is not None

    def take_kept(self, servers: List[Server], since: datetime.datetime) -> Changes:
        """Those of a file."""
        self.servers = {server["id"]: server for server in servers}
        self.stale_since = since
        return Changes({**self.servers}, servers, [], since)

    def begin_stream(self) -> None:
        self._told_stale_since = None

    def take_answer(self, answer: _Answer) -> Optional[Changes]:
        """Of a poll."""
        told = _accepted(answer)
        self._told_stale_since = _stale_since(answer.headers)
        return self._take(told)

    def take_event(self, event: _Event) -> Tuple[bool, Optional[Changes]]:
        """Whether the reader is up to date now, and the changes that this brings."""
        if event.name == "changes" and event.data is not None:
            return True, self._take(_members_of(event.data))
        if event.name == "state" and event.data is not None:
            told = _members_of(event.data)
            as_of = _text_of(told.get("as_of")) or ""
            self._told_stale_since = _time_of(as_of) if told.get("stale") is True else None
            return False, None if self._tag is None else self._changes([], [])
        if event.data is None and event.id and self._tag is not None:
            self._tag = event.id
            self._failures = 0
            return True, self._changes([], [])
        return False, None

    def pause_after(self, error: Exception) -> float:
        is_wrong = isinstance(error, Error) and error.status in (400, 401)
        pause = _growing_pause(1000 if is_wrong else self._failures, _LONGEST_PAUSE)
        self._failures += 1
        return pause

    def pause_after_stream(self, retry: Optional[float]) -> float:
        pause = _growing_pause(0, 1.0) if retry is None else retry
        return min(max(pause, _SHORTEST_PAUSE), _LONGEST_PAUSE)

    def _take(self, told: Mapping[str, Any]) -> Optional[Changes]:
        told_servers, removed = _servers_of(told, _FIELDS), told.get("removed")
        tag, is_full = told.get("tag"), told.get("full")
        if not isinstance(tag, str) or not isinstance(is_full, bool) or not isinstance(removed, builtins.list):
            raise Error(_NOT_OF_GSLS)
        # Changes mean nothing without the list that they are of.
        if not all(isinstance(each, str) for each in removed) or not (is_full or self._tag is not None):
            raise Error(_NOT_OF_GSLS)
        before, after = self.servers, {} if is_full else {**self.servers}
        for each in removed:
            after.pop(each, None)
        after.update((server["id"], server) for server in told_servers)
        self.servers, self._tag, self._failures = after, tag, 0
        changed = [server for server in after.values() if before.get(server["id"]) != server]
        return self._changes(changed, [each for each in before if each not in after], is_full)

    def _changes(self, changed: List[Server], removed: List[str], is_news: bool = False) -> Optional[Changes]:
        """None if there are none."""
        was_stale, self.stale_since = self.stale_since, self._told_stale_since
        if not (changed or removed or is_news) and (was_stale is None) == (self.stale_since is None):
            return None
        return Changes({**self.servers}, changed, removed, self.stale_since)


class _Choice:
    """Which of several URLs a watch asks: the first that answers, and the first of all again after a while."""

    def __init__(self, count: int, now: Callable[[], float]) -> None:
        self.at = 0
        #: The first one is tried again while another one answers.
        self.is_returning = False
        self._count = count
        self._now = now
        #: Since one of them answered.
        self._failures: List[Exception] = []
        self._returns_at = 0.0

    @property
    def is_return_due(self) -> bool:
        return self.at > 0 and self._now() >= self._returns_at

    def go_back(self) -> None:
        self.at = 0
        self.is_returning = True

    def answered(self) -> None:
        self._failures = []
        self.is_returning = False

    def fail(self, error: Exception) -> Tuple[Optional[Exception], float]:
        """The first failure of them all, and seconds that they ask to wait; None while one is left to ask at once."""
        failures = [*self._failures, error]
        rest = max(each.retry_after if isinstance(each, Error) else 0.0 for each in failures)
        self.answered()
        self._returns_at = self._now() + max(_RETURN, rest)
        if len(failures) == self._count:
            self.at = 0
            return failures[0], rest
        self.at = (self.at + 1) % self._count
        self._failures = failures
        return None, 0.0


class _EventStream:
    """Server-Sent Events, read from bytes that come in pieces of any size (HTML Living Standard, 9.2.6)."""

    def __init__(self) -> None:
        #: Seconds until a reader connects again once the stream has ended, as it was told last.
        self.retry: Optional[float] = None
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        #: Of the line that has no end yet.
        self._pieces: List[str] = []
        self._is_after_return = False
        self._begin()

    def _begin(self) -> None:
        self._name = ""
        self._data: List[str] = []
        self._id: Optional[str] = None
        self._size = 0

    def push(self, data: bytes) -> Iterator[_Event]:
        text = self._decoder.decode(data)
        # A line feed after a carriage return belongs to it.
        is_rest_of_end = self._is_after_return and text.startswith("\n")
        self._is_after_return = text.endswith("\r") if text else self._is_after_return
        *ended, rest = re.split("\r\n|\r|\n", text[1:] if is_rest_of_end else text)
        self._size += len(text)
        if self._size > _MOST_OF_A_LIST:
            raise Error(f"an event has more than {_MOST_OF_A_LIST} characters")
        for line in ended:
            self._pieces.append(line)
            event = self._take("".join(self._pieces))
            self._pieces = []
            if event:
                yield event
        self._pieces.append(rest)

    def _take(self, line: str) -> Optional[_Event]:
        """The event that this line ends."""
        if not line:
            event = _Event(self._name or "message", "\n".join(self._data) if self._data else None, self._id)
            is_empty = not (self._name or self._data or self._id)
            self._begin()
            return None if is_empty else event
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "event":
            self._name = value
        elif name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and re.fullmatch("[0-9]{1,9}", value):
            self.retry = int(value) / 1000
        return None


_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"
_NOT_OF_GSLS = "this is no answer of GSLS"


def _listing(wire: _Wire, previous: Optional[Listing], timeout: float) -> Listing:
    etag = previous.etag if previous else None
    answer = wire.ask(_Request("GET", "/", {"If-None-Match": etag} if etag else {}), timeout, _MOST_OF_A_LIST)
    stale_since = _stale_since(answer.headers)
    if answer.status == 304 and previous:
        return Listing(previous.servers, stale_since, previous.etag)
    servers = _servers_of(_accepted(answer), _FIELDS_OF_THE_LIST)
    return Listing(servers, stale_since, _sendable(answer.headers.get("ETag")))


def _pages(wire: _Wire, asked: List[str], most: Optional[int], timeout: float) -> List[Server]:
    found: Dict[str, Server] = {}
    cursor: Optional[str] = None
    for _ in range(_MOST_PAGES):
        wanted = _PAGE if most is None else min(_PAGE, most - len(found))
        paged = [*asked, f"limit={wanted}", *([f"cursor={_quote(cursor)}"] if cursor else [])]
        told = _accepted(wire.ask(_Request("GET", "/servers?" + "&".join(paged), {}), timeout, _MOST_OF_A_LIST))
        found.update((server["id"], server) for server in _servers_of(told, _FIELDS))
        cursor = _text_of(told.get("next"))
        if not cursor or (most is not None and len(found) >= most):
            return [*found.values()][:most]
    raise Error(f"the list has more than {_MOST_PAGES} pages")


_A_DAY = 86_400.0
_READER_STEP = 5  # ms, so that a reader says less of itself
#: What `nearest` has measured, and when, by where the service is.
_measured: Dict[Tuple[Any, ...], Tuple[float, Dict[str, int]]] = {}


def _near(wire: _Wire, asked: List[str], timeout: float) -> List[str]:
    """What `nearest` adds to the parts of a query."""
    service = wire.service
    place = (service.is_secure, service.host, service.port, service.path)
    at, latency = _measured.get(place, (-math.inf, {}))
    if time.monotonic() - at >= _A_DAY:
        latency = _Beacons(service, timeout).measure()
        _measured[place] = time.monotonic() if latency else -math.inf, latency
    if not latency:
        return []
    near = ",".join(f"{id}:{_READER_STEP * round(ms / _READER_STEP)}" for id, ms in latency.items())
    return [f"near={near}", *([] if any(part.startswith("sort=") for part in asked) else ["sort=near"])]


def _accepted(answer: _Answer) -> Mapping[str, Any]:
    """The members of an answer to a reader. Raises Error for any status but 200."""
    if answer.status != 200 or not answer.members:
        raise Error(answer.reason, answer.status, answer.code, _retry_after(answer.headers))
    return answer.members


def _sent(wire: _Wire, request: _Request, timeout: float) -> None:
    """Raises Error unless the service has taken it."""
    answer = wire.ask(request, timeout)
    if not answer.is_success:
        raise Error(answer.reason, answer.status, answer.code, _retry_after(answer.headers))


def _members_of(text: str) -> Mapping[str, Any]:
    members = _json_of(text)
    if not isinstance(members, dict):
        raise Error(_NOT_OF_GSLS)
    return members


def _servers_of(told: Mapping[str, Any], fields: _Fields) -> List[Server]:
    """Raises Error unless each is a server with these fields."""
    servers = told.get("servers")
    if not isinstance(servers, builtins.list) or not all(_is_server(each, fields) for each in servers):
        raise Error(_NOT_OF_GSLS)
    return servers


def _is_server(value: Any, fields: _Fields) -> bool:
    return isinstance(value, dict) and all(type(value.get(name)) in kinds for name, kinds in fields.items())


def _growing_pause(failures: int, longest: float) -> float:
    """1 s, 2 s, 4 s and so on up to the longest, each shortened at random by up to a half."""
    return min(longest, 2.0 ** min(failures, 100)) * _random.uniform(0.5, 1)


def _retry_after(headers: http.client.HTTPMessage) -> float:
    """Seconds. A date counts from the `Date` of the same answer, and no more than an hour counts."""
    text = headers.get("Retry-After", "").strip()
    if re.fullmatch("[0-9]{1,9}", text):
        return min(float(text), 3600.0)
    until, now = _http_date(text), _http_date(headers.get("Date", ""))
    if until is None:
        return 0.0
    return min(max(0.0, until - (time.time() if now is None else now)), 3600.0)


def _http_date(text: str) -> Optional[float]:
    """Seconds since 1970; None of what is no date."""
    try:
        return email.utils.parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _stale_since(headers: http.client.HTTPMessage) -> Optional[datetime.datetime]:
    """Of the answer to a poll; None if its list is current."""
    if not re.match(r"11[01]\b", headers.get("Warning", "")):
        return None
    age = headers.get("Age", "")
    seconds = int(age) if re.fullmatch("[0-9]{1,9}", age) else 0
    return _now() - datetime.timedelta(seconds=seconds)


def _time_of(text: str) -> datetime.datetime:
    """As a service tells it; now of what is no time."""
    try:
        return datetime.datetime.strptime(text, _TIME).replace(tzinfo=datetime.timezone.utc)
    except ValueError:
        return _now()


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.timezone.utc)


def _without_limit(query: str) -> Tuple[List[str], Optional[int]]:
    """The other parts of a query, and its `limit`. One that is no number stays: the service says what is wrong."""
    parts = _parts_of(query)
    limits = [part for part in parts if re.fullmatch("limit=[0-9]{1,9}", part)]
    if not limits:
        return parts, None
    return [part for part in parts if part not in limits], int(limits[-1][len("limit=") :])


def _parts_of(query: str) -> List[str]:
    """With what no URL can hold in its escaped form."""
    safe = "".join(map(chr, range(33, 127))).replace("#", "")
    return [part for part in urllib.parse.quote(query, safe=safe).split("&") if part]


def _quote(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def _text_of(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def _sendable(value: Optional[str]) -> Optional[str]:
    """A text that a header can hold."""
    return value if value and re.fullmatch(f"[ -~]{{1,{_MOST_OF_A_TOKEN}}}", value) else None


# What is outside: HTTP, files, threads, the log


_MOST_OF_AN_ANSWER = 1_048_576
_MOST_OF_A_LIST = 64 * 1_048_576
_MOST_OF_A_TOKEN = 4096
_PIECE = 65_536
_MOST_BEACONS = 16
_MOST_OF_A_BEACON = 4096
_BEACON_REQUESTS = 6
_BEACON_PATIENCE = 2.0
_MOST_LATENCY = 2000  # ms


_URL = re.compile(r"https?://([^\s:/?#@[\]]+|\[[\w:.]+\])(:[0-9]{1,5})?(/[^\s?#]*)?", re.IGNORECASE)


_BEACON_URL = re.compile(r"(https?://[^/?#]*)(/[!\"$-~]*)?", re.IGNORECASE)


class _Silence(OSError):
    """Nothing came in time, on a connection that stands."""


class _Late(OSError):
    """There was no connection in time."""


class _Service:
    """Where a service is, and how it is asked. Raises ValueError for a URL or a key that cannot be right."""

    def __init__(self, url: str, key: Optional[str], insecure: bool) -> None:
        try:
            if not _URL.fullmatch(url):
                raise ValueError
            parts = urllib.parse.urlsplit(url)
            self.host = (parts.hostname or "").encode("idna").decode("ascii")
            self.port = parts.port or (443 if parts.scheme == "https" else 80)
            if not re.fullmatch("[!-~]+", self.host + parts.path) or parts.port == 0:
                raise ValueError
        except (TypeError, ValueError):
            words = "is no URL of a service, such as http://localhost:53600"
            raise ValueError(f"{_printable(repr(url))} {words}") from None
        if key and (re.search("[\x00-\x1f\x7f\ud800-\udfff]", key) or key.strip() != key):
            raise ValueError("the key has characters that no header can have")
        self.is_secure = parts.scheme == "https"
        self.path = parts.path.rstrip("/")
        self.key = key or ""
        self.insecure = insecure

    def connect(self, seconds: float) -> Tuple[http.client.HTTPConnection, str, Dict[str, str]]:
        """A connection that is not open yet, what is before each path, and the headers of each request."""
        proxy = self._proxy()
        host, port = (self.host, self.port) if proxy is None else (proxy.hostname or "", proxy.port or 80)
        headers = {} if proxy is None or proxy.username is None else _credentials(proxy.username, proxy.password)
        if self.is_secure:
            context = ssl.create_default_context()
            if self.insecure:
                context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            secure = http.client.HTTPSConnection(host, port, timeout=seconds, context=context)
            if proxy is not None:
                secure.set_tunnel(self.host, self.port, headers)
            return secure, self.path, {}
        plain = http.client.HTTPConnection(host, port, timeout=seconds)
        if proxy is None:
            return plain, self.path, {}
        host = f"[{self.host}]" if ":" in self.host else self.host
        authority = host if self.port == 80 else f"{host}:{self.port}"
        return plain, f"http://{authority}{self.path}", headers

    def _proxy(self) -> Optional[urllib.parse.SplitResult]:
        """That of the platform for this service; None if it is asked itself."""
        proxies = urllib.request.getproxies()
        text = proxies.get("https" if self.is_secure else "http")
        if not text or urllib.request.proxy_bypass(self.host):
            return None
        proxy = urllib.parse.urlsplit(text if "://" in text else f"http://{text}")
        if proxy.scheme != "http" or not proxy.hostname:
            raise OSError("the proxy of this machine is none of http://")
        return proxy


def _services(url: Urls, key: Optional[str], insecure: bool) -> List[_Service]:
    """Raises ValueError for no URL, too."""
    urls = [url] if isinstance(url, str) or not url else url
    return [_Service(each, key, insecure) for each in urls]


_Result = TypeVar("_Result")


def _first_of(services: List[_Service], ask: Callable[[_Wire], _Result], is_write: bool = False) -> _Result:
    """The first answer. Raises the first Error; of a write, the first refusal ends it."""
    first: Optional[Error] = None
    for service in services:
        wire = _Wire(service)
        try:
            return ask(wire)
        except Error as error:
            if is_write and error.code is not None and error.status < 500:
                raise
            first = first or error
        finally:
            wire.close()
    assert first
    raise first


class _Wire:
    """One connection to a service, kept open: one request at a time, each with a deadline."""

    def __init__(self, service: _Service) -> None:
        self.service = service
        self._connection: Optional[http.client.HTTPConnection] = None
        self._socket: Optional[socket.socket] = None
        self._before = ""
        self._headers: Dict[str, str] = {}
        #: That the answer may take.
        self.seconds = 0.0
        self._deadline = 0.0
        self._is_ended = False

    def ask(self, request: _Request, seconds: float, most: int = _MOST_OF_AN_ANSWER) -> _Answer:
        """The whole answer, within this time. Never raises: a status of 0 is no answer."""
        try:
            return self.read(self.open(request, seconds), most)
        except _FAILURES as error:
            self.close()
            return _Answer(0, http.client.HTTPMessage(), problem=_words(error, seconds))

    def open(self, request: _Request, seconds: float) -> http.client.HTTPResponse:
        """The beginning of the answer, within this time; `read` or `pieces` has the rest. Raises one of _FAILURES."""
        self.allow(seconds)
        connection = self._connect()
        headers: Dict[str, Union[str, bytes]] = {**self._headers, **request.headers}
        headers["User-Agent"] = f"gsls-python/{__version__}"
        if request.method == "GET":
            headers["Accept-Encoding"] = "gzip"
        if self.service.key:
            headers["Authorization"] = f"Bearer {self.service.key}".encode()
        body = None if request.body is None else json.dumps(request.body)
        if connection.sock is not None:
            connection.sock.settimeout(self._left())
        connection.request(request.method, self._before + request.path, body, headers)
        return connection.getresponse()

    def allow(self, seconds: float) -> None:
        """From now on the answer may take so long."""
        self.seconds = seconds
        self._deadline = time.monotonic() + seconds

    def pieces(self, response: http.client.HTTPResponse) -> Iterator[bytes]:
        """The body as it comes, unpacked, each piece of bounded size. Raises if it is cut off."""
        is_packed = response.headers.get("Content-Encoding", "").strip().lower() == "gzip"
        unpacker = zlib.decompressobj(zlib.MAX_WBITS + 16) if is_packed else None
        take = response.read1 if response.length is None else response.read
        came = False
        for packed in iter(lambda: take(_PIECE), b""):
            came = True
            if unpacker is None:
                yield packed
            while unpacker is not None and packed:
                yield unpacker.decompress(packed, _PIECE)
                packed = unpacker.unconsumed_tail
        if response.length or (unpacker is not None and came and not unpacker.eof):
            raise http.client.IncompleteRead(b"")

    def read(self, response: http.client.HTTPResponse, most: int) -> _Answer:
        parts: List[bytes] = []
        size = 0
        for piece in self.pieces(response):
            parts.append(piece)
            size += len(piece)
            if size > most:
                raise Error(f"the answer has more than {most} bytes")
        return _Answer(response.status, response.headers, _json_of(b"".join(parts)))

    def end(self) -> None:
        """Gives up what is under way, and all that would follow. From any thread."""
        self._is_ended = True
        _shut(self._socket)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = self._socket = None

    def _connect(self) -> http.client.HTTPConnection:
        if self._connection is not None and self._connection.sock is not None and not _is_stale(self._connection.sock):
            return self._connection
        self.close()
        try:
            connection, self._before, self._headers = self.service.connect(self._left())
            self._connection = connection
            connection.response_class = functools.partial(_Response, self._left)  # type: ignore[assignment]
            connection.connect()
        except socket.timeout:
            raise _Late from None
        self._socket = connection.sock
        if self._is_ended:
            raise ConnectionError("it was given up")
        return connection

    def _left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise _Silence
        return left


class _Beacons:
    """The beacons of a service. `end` gives up what is under way, from any thread."""

    def __init__(self, service: _Service, timeout: float) -> None:
        self._service = service
        self._timeout = timeout
        self._wire = _Wire(service)
        self._is_ended = False

    def end(self) -> None:
        self._is_ended = True
        self._wire.end()

    def measure(self) -> Dict[str, int]:
        """Ms there and back by ids, of those that answer."""
        answer = self._wire.ask(_Request("GET", "/beacons", {}), self._timeout)
        self._wire.close()
        measured = {id: self._measure(place, path) for id, place, path in _beacons_of(answer, self._service.insecure)}
        return {id: ms for id, ms in measured.items() if ms is not None}

    def _measure(self, place: _Service, path: str) -> Optional[int]:
        self._wire = wire = _Wire(place)
        times: List[float] = []
        while len(times) < _BEACON_REQUESTS and not self._is_ended:
            began = time.perf_counter()
            if wire.ask(_Request("GET", path, {}), _BEACON_PATIENCE, _MOST_OF_A_BEACON).status // 100 != 2:
                break
            times.append(time.perf_counter() - began)
        wire.close()
        # The first one has opened the connection.
        median = sorted(times[1:])[len(times) // 2 - 1] if len(times) == _BEACON_REQUESTS else None
        return None if median is None else min(round(1000 * median), _MOST_LATENCY)


def _beacons_of(answer: _Answer, insecure: bool) -> List[Tuple[str, _Service, str]]:
    """The id of each, where it is, and what is asked for there."""
    told = answer.members.get("beacons") if answer.is_success else None
    beacons: List[Tuple[str, _Service, str]] = []
    for each in told if isinstance(told, builtins.list) else []:
        members = each if isinstance(each, dict) else {}
        id, url = (_text_of(members.get(name)) or "" for name in ("id", "url"))
        parts = _BEACON_URL.fullmatch(url)
        if parts and re.fullmatch("[a-z0-9-]{1,16}", id) and len(beacons) < _MOST_BEACONS:
            try:
                beacons.append((id, _Service(parts[1], None, insecure), parts[2] or "/"))
            except ValueError:
                pass
    return beacons


class _Response(http.client.HTTPResponse):
    """An answer that is read until a deadline, however slowly it comes. `left`: seconds; raises when none are left."""

    def __init__(self, left: Callable[[], float], sock: socket.socket, *args: Any, **more: Any) -> None:
        super().__init__(sock, *args, **more)
        self.fp = io.BufferedReader(_TimedReader(self.fp.detach(), sock, left))

    def _read_status(self) -> Tuple[str, int, str]:
        """Of the answer itself: http.client takes a 103 for it."""
        while True:
            told: Tuple[str, int, str] = super()._read_status()  # type: ignore[misc]
            if not 102 <= told[1] <= 199:
                return told
            http.client.parse_headers(self.fp)


class _TimedReader(io.RawIOBase):
    def __init__(self, raw: io.RawIOBase, sock: socket.socket, left: Callable[[], float]) -> None:
        self._raw, self._sock, self._left = raw, sock, left

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._sock.settimeout(self._left())
        try:
            return self._raw.readinto(buffer)
        except socket.timeout:
            raise _Silence from None

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Log:
    """Tells each topic when it changes, in printable lines without the secrets."""

    def __init__(self, log: Optional[Log], secrets: Callable[[], Tuple[str, ...]]) -> None:
        self._log = log
        self._secrets = secrets
        self._told: Dict[str, str] = {}

    def tell(self, topic: str, text: str, level: int = logging.INFO, *, more: str = "") -> None:
        """`more` is told with the text, and is no change by itself."""
        text = self.clean(text)
        if self._told.get(topic) == text:
            return
        self._told[topic] = text
        line = f"{text} {more}".rstrip()
        try:
            if self._log is not None:
                self._log(line)
            elif _logger.hasHandlers():
                _logger.log(level, "%s", line)
            else:
                print(f"GSLS: {line}", file=sys.stderr, flush=True)
        except Exception:
            pass  # A log that fails is no reason to leave the list.

    def clean(self, text: str) -> str:
        for secret in self._secrets():
            if len(secret) >= _SHORTEST_SECRET:
                text = text.replace(secret, "(hidden)")
        return _printable(text)


_logger = logging.getLogger("gsls")
_MOST_OF_A_LINE = 1000
_SHORTEST_SECRET = 6  # a shorter text is in many words

#: What a request may raise: there is no answer.
_BROKEN = (OSError, http.client.HTTPException, zlib.error)
_FAILURES = (*_BROKEN, ValueError, Error)


def _words(error: Exception, seconds: float = 0) -> str:
    """Why there is no answer, or no file. `seconds` is what was waited for."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate is not trusted: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"the TLS connection failed: {error.reason or 'it was cut off'}"
    if isinstance(error, socket.gaierror):
        return "the name of the host is not known"
    if isinstance(error, (_Silence, _Late, socket.timeout)):
        return f"nothing came within {seconds:g} s"
    if isinstance(error, ConnectionRefusedError):
        return "the connection was refused"
    if isinstance(error, (ConnectionResetError, BrokenPipeError, http.client.IncompleteRead)):
        return "the connection was cut off"
    if isinstance(error, http.client.HTTPException):
        return "what listens there speaks no HTTP"
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _cut(text: str) -> str:
    """As a part of a sentence."""
    return text if len(text) <= _LONGEST_REASON else text[:_LONGEST_REASON] + "…"


def _end_of(text: str) -> str:
    """As the end of a sentence, with one mark."""
    text = _cut(text.rstrip())
    return text if text.endswith((".", "?", "!")) else text + "."


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text[:_MOST_OF_A_LINE])


def _json_of(text: Union[str, bytes]) -> Any:
    """None of what is no JSON. Every text in it is one that can be printed and sent."""
    try:
        text = text if isinstance(text, str) else text.decode()
        value = json.loads(text, parse_constant=_refuse, parse_int=_number_of)
        return _repaired(value) if _HALF.search(text) else value
    except (ValueError, RecursionError):
        return None


_HALF = re.compile(r"\\u[dD][89a-fA-F]")  # of a character: the other half may be missing
_MOST_DIGITS = 300  # of a whole number; it takes the square of their number of steps to read them


def _refuse(constant: str) -> None:
    raise ValueError(f"JSON has no {constant}")


def _number_of(digits: str) -> Union[int, float]:
    return int(digits) if len(digits) <= _MOST_DIGITS else float(digits)


def _repaired(value: Any) -> Any:
    """With U+FFFD for half a character, which no text can hold."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, builtins.list):
        return [_repaired(each) for each in value]
    if isinstance(value, dict):
        return {_repaired(name): _repaired(each) for name, each in value.items()}
    return value


def _copied(fields: Mapping[str, Any]) -> Dict[str, Any]:
    """As JSON has them, and apart from what the game does with them. Raises for what is no JSON."""
    copied: Dict[str, Any] = json.loads(json.dumps({**fields}, allow_nan=False))
    return copied


def _is_event_stream(response: http.client.HTTPResponse) -> bool:
    return re.match(r"text/event-stream\b", response.headers.get("Content-Type", ""), re.IGNORECASE) is not None


def _credentials(user: str, password: Optional[str]) -> Dict[str, str]:
    """For a proxy. Both as they are in its URL."""
    text = urllib.parse.unquote(f"{user}:{password or ''}")
    return {"Proxy-Authorization": "Basic " + base64.b64encode(text.encode()).decode("ascii")}


def _shut(sock: Optional[socket.socket]) -> None:
    """Wakes who reads from it. Below its TLS, which is not for two threads."""
    try:
        if sock is not None:
            socket.socket.shutdown(sock, socket.SHUT_RDWR)
    except OSError:
        pass


def _is_stale(sock: socket.socket) -> bool:
    """Whether a connection that rests was closed by the other side, or has what nobody asked for."""
    try:
        sock.settimeout(0)
        socket.socket.recv(sock, 1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


_KeptList = Tuple[List[Server], datetime.datetime]


class _ListFile:
    """The last list, for the time when no service answers. What is wrong with the file is told, and does no harm."""

    def __init__(self, path: str, fields: _Fields) -> None:
        self._path = path
        self._fields = fields

    def read(self) -> Tuple[Optional[_KeptList], Optional[str]]:
        """Its servers and when they were current, and what is wrong, in a sentence. Neither without a file."""
        try:
            told = _json_of(_read_start(self._path, _MOST_OF_A_LIST)[0].encode("latin-1"))
        except FileNotFoundError:
            return None, None
        except (OSError, ValueError) as error:
            return None, f"The file {self._path} cannot be read: {_end_of(_words(error))}"
        try:
            servers = _servers_of(told, self._fields)
            as_of = datetime.datetime.strptime(told["as_of"], _TIME)
            return (servers, as_of.replace(tzinfo=datetime.timezone.utc)), None
        except (Error, AttributeError, LookupError, TypeError, ValueError):
            return None, f"The file {self._path} holds no list."

    def write(self, servers: List[Server], as_of: datetime.datetime) -> Optional[str]:
        """What is wrong, in a sentence."""
        try:
            _write_privately(self._path, json.dumps({"as_of": as_of.strftime(_TIME), "servers": servers}))
            return None
        except (OSError, ValueError) as error:
            return f"The list cannot be kept in {self._path}: {_end_of(_words(error))}"


def _read_start(path: str, most: int = _MOST_OF_A_TOKEN) -> Tuple[str, bool]:
    """What is in a file, up to somewhat more than `most`, and whether only its own user can read it."""
    # To open a pipe would wait for whoever writes into it.
    with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), encoding="latin-1") as file:
        mode = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(mode):
            raise OSError("it is no file")
        return file.read(most + 2), os.name != "posix" or not mode & 0o077


def _write_privately(path: str, text: str) -> None:
    """Into a file that only its own user can read, and that is never half written."""
    path = os.path.realpath(path)
    handle, beside = tempfile.mkstemp(dir=os.path.dirname(path), prefix=os.path.basename(path) + ".")
    try:
        with open(handle, "w", encoding="latin-1") as file:
            file.write(text)
            file.flush()
            os.fsync(handle)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


async def _in_thread(work: Callable[[], _Result]) -> _Result:
    """As asyncio.to_thread, but in a daemon thread: work that waits keeps no program from its end."""
    future: concurrent.futures.Future[_Result] = concurrent.futures.Future()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="gsls", daemon=True).start()
    return await asyncio.wrap_future(future)
