"""The program by which the conformance kit judges this client. What it reads and says is in docs/write-a-client.md.

    gsls conformance -- python3 clients/python/conformance.py
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading
from typing import Any, Callable, Collection, Dict, Iterator, List, Optional, Union

import gsls

CAN = ["announce", "list", "find", "watch", "stream", "gzip", "key", "token_file", "tls", "insecure", "ipv6", "sigterm"]
CAN += ["urls", "keep", "report", "latency", "nearest"]

_one_at_a_time = threading.Lock()


def say(**line: Any) -> None:
    with _one_at_a_time:
        print(json.dumps(line), flush=True)


def say_servers(servers: Collection[gsls.Server], stale_since: object) -> None:
    ids, names = [[server[name] for server in servers] for name in ("id", "name")]
    say(servers={"ids": ids, "names": names, "stale": stale_since is not None})


class KitClock(gsls.Clock):
    """Shows the time that the kit tells, and says until when it waits."""

    def __init__(self, now_ms: float) -> None:
        self._now_ms = now_ms
        self._is_woken = False
        self._changed = threading.Condition()

    def now(self) -> float:
        return self._now_ms / 1000

    def set(self, now_ms: float) -> None:
        with self._changed:
            self._now_ms = now_ms
            self._changed.notify_all()

    def wait(self, seconds: float) -> None:
        with self._changed:
            until_ms = self._now_ms + 1000 * seconds
            while not self._is_woken and self._now_ms < until_ms:
                is_measuring = any(each.name == "gsls beacons" for each in threading.enumerate())
                if not is_measuring:
                    say(waits=until_ms, at=self._now_ms)
                self._changed.wait(0.02 if is_measuring else None)

    def wake(self) -> None:
        with self._changed:
            self._is_woken = True
            self._changed.notify_all()


class Program:
    def __init__(self) -> None:
        self.clock: Optional[gsls.Clock] = None
        self.announcement: Optional[gsls.Announcement] = None
        self.watch: Optional[gsls.Watch] = None
        self.listing: Optional[gsls.Listing] = None

    def take(self, line: Dict[str, Any]) -> None:
        """What the kit says: one word, and what belongs to it."""
        for word, value in line.items():
            getattr(self, f"on_{word}")(value)

    def on_start(self, told: Dict[str, Any]) -> None:
        options = {**options_of(told), **self.background_of(told)}
        self.announcement = gsls.announce(told["url"], told["fields"], token_file=told.get("token_file"), **options)

    def on_now(self, now_ms: float) -> None:
        if isinstance(self.clock, KitClock):
            self.clock.set(now_ms)

    def on_players(self, players: int) -> None:
        if self.announcement:
            self.announcement.update(players=players)
        say(did="players")

    def on_stop(self, how: Union[bool, Dict[str, bool]]) -> None:
        if self.announcement:
            self.announcement.stop(**(how if isinstance(how, dict) else {}))
        if self.watch:
            self.watch.close()
        self.announcement = self.watch = None
        say(stopped=True)

    def on_list(self, told: Dict[str, Any]) -> None:
        try:
            self.listing = gsls.list(urls_of(told), previous=self.listing, keep=told.get("keep"), **options_of(told))
            say_servers(self.listing.servers, self.listing.stale_since)
        except gsls.Error as error:
            say(failed=str(error))

    def on_find(self, told: Dict[str, Any], find: Callable[..., List[gsls.Server]] = gsls.find) -> None:
        try:
            say_servers(find(urls_of(told), told.get("query", ""), **options_of(told)), None)
        except gsls.Error as error:
            say(failed=str(error))

    def on_nearest(self, told: Dict[str, Any]) -> None:
        self.on_find(told, gsls.nearest)

    def on_watch(self, told: Dict[str, Any]) -> None:
        options = {**options_of(told), **self.background_of(told)}
        watch = gsls.watch(urls_of(told), told.get("query", ""), keep=told.get("keep"), **options)
        if "timeout_ms" in told:
            watch.silence = watch.first_event = told["timeout_ms"] / 1000
        self.watch = watch
        threading.Thread(target=follow, args=(watch,), daemon=True).start()

    def on_report(self, told: Dict[str, Any]) -> None:
        try:
            gsls.report(urls_of(told), told["id"], told["reason"], told.get("note"), **options_of(told))
            say(reported=True)
        except gsls.Error as error:
            say(failed=str(error))

    def background_of(self, told: Dict[str, Any]) -> Dict[str, Any]:
        """The options of what goes on in the background."""
        self.clock = KitClock(told["now"]) if "now" in told else gsls.Clock()
        return {"clock": self.clock, "log": lambda text: say(log=text)}


def urls_of(told: Dict[str, Any]) -> gsls.Urls:
    urls: gsls.Urls = told["urls"] if "urls" in told else told["url"]
    return urls


def options_of(told: Dict[str, Any]) -> Dict[str, Any]:
    timeout = told["timeout_ms"] / 1000 if "timeout_ms" in told else 5.0
    return {"key": told.get("key"), "insecure": told.get("insecure", False), "timeout": timeout}


def follow(watch: gsls.Watch) -> None:
    for changes in watch:
        say_servers(changes.servers.values(), changes.stale_since)


def heard() -> Iterator[bytes]:
    """The lines of the kit, until it ends."""
    rest = b""
    while True:
        # A signal that comes just before a read does not interrupt it: Python would handle it behind the read alone.
        while sys.platform != "win32" and not select.select([0], [], [], 0.05)[0]:
            pass
        got = os.read(0, 65536)
        if not got:
            return
        *lines, rest = (rest + got).split(b"\n")
        yield from lines


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    say(ready={"name": "gsls for Python", "can": CAN})
    program = Program()
    for line in heard():
        program.take(json.loads(line))
