"""What the kit does not see of the client for Python: asyncio, proxies, logs. Run by test/clients/python.client.ts."""

import asyncio
import contextlib
import http.server
import itertools
import json
import logging
import os
import random
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

import gsls

FIELDS = {"server_host": "eu1.example.com", "server_name": "Frankfurt 1", "server_port": 7777, "server_ip": "auto"}
SERVER = {
    **{"id": "a", "host": "eu1.example.com", "name": "Frankfurt 1", "port": 7777, "ip": "203.0.113.7"},
    **{"players": 3, "max_players": 16, "registered_at": "2026-11-21T10:20:30.123Z"},
}
ALL = {"status": "success", "servers": [SERVER], "removed": [], "full": True, "tag": "1"}
LIFE = [b"The game server is listed as a.", b"The game server left the list, and the id a is given up."]
#: No event in a test takes longer.
PATIENCE = 10


class Service(http.server.ThreadingHTTPServer):
    """Answers each request as `answers` says for its path, and keeps what it has seen."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.requests = []
        self.closed = threading.Event()
        self.arrived = threading.Condition()
        self.answers = {
            "/broadcast": lambda handler: handler.answer({"status": "success", "server_id": "a"}),
            "/ping": lambda handler: handler.answer({"status": "success"}),
            "/remove": lambda handler: handler.answer({"status": "success"}),
            "/changes": lambda handler: handler.stream(f"event: changes\ndata: {json.dumps(ALL)}\n\n"),
        }
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def wait_for(self, path, count=1):
        """The requests with this path, once there are so many."""
        with self.arrived:
            seen = lambda: [each for each in self.requests if each["path"] == path]
            assert self.arrived.wait_for(lambda: len(seen()) >= count, PATIENCE), self.requests
            return seen()

    def shutdown_request(self, request):
        super().shutdown_request(request)
        self.closed.set()

    def handle_error(self, request, client_address):
        pass  # A client that gives up.


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_any(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.split("?")[0]
        with self.server.arrived:
            told = {"path": path, "target": self.path, "headers": self.headers, "body": body and json.loads(body)}
            self.server.requests.append(told)
            self.server.arrived.notify_all()
        self.server.answers[path](self)

    do_GET = do_POST = do_CONNECT = handle_any

    def answer(self, body, status=200, **headers):
        data = json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def stream(self, text):
        """Its beginning; then it stays open and silent."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(text.encode())
        self.wfile.flush()
        self.connection.recv(1)

    def log_message(self, *_):
        pass


class ManualClock(gsls.Clock):
    """Shows what it is set to, and tells each wait."""

    def __init__(self):
        super().__init__()
        self.time = 0.0
        self.waits = []
        self.changed = threading.Condition()

    def now(self):
        return self.time

    def wait(self, seconds):
        with self.changed:
            self.waits.append(seconds)
            until = self.time + seconds
            self.changed.notify_all()
            self.changed.wait_for(lambda: self._woken.is_set() or self.time >= until)

    def wake(self):
        super().wake()
        with self.changed:
            self.changed.notify_all()

    def skip_wait(self, count=1):
        """Once it waits for the so-manyeth time, the wait is over. Gives the seconds that it was to take."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.waits) >= count, PATIENCE)
            self.time += self.waits[count - 1] + 0.001
            self.changed.notify_all()
            return self.waits[count - 1]


class WithService(unittest.TestCase):
    def setUp(self):
        self.service = Service()
        self.addCleanup(self.service.server_close)
        self.addCleanup(self.service.shutdown)
        self.clock = ManualClock()
        self.lines = []

    def announce(self, **options):
        options = {"clock": self.clock, "log": self.lines.append, **options}
        announcement = gsls.announce(self.service.url, FIELDS, **options)
        self.addCleanup(announcement.stop)
        return announcement


class AnAnnouncement(WithService):
    def test_opens_a_new_connection_when_the_service_has_closed_the_old_one_meanwhile(self):
        def answer_and_close(handler):
            handler.answer({"status": "success", "server_id": "a"})
            handler.close_connection = True

        self.service.answers["/broadcast"] = answer_and_close
        announcement = self.announce()
        self.assertTrue(self.service.closed.wait(PATIENCE))
        self.clock.skip_wait()
        self.service.wait_for("/ping")
        self.clock.skip_wait(2)
        self.assertEqual((announcement.state, announcement.problem), ("listed", None))
        self.assertEqual(self.lines, ["The game server is listed as a."])

    def test_gives_up_an_answer_that_comes_too_slowly(self):
        def drip(handler):
            with contextlib.suppress(OSError):
                for each in itertools.cycle("HTTP/1.1 200 OK\r\nX: "):
                    handler.wfile.write(each.encode())
                    time.sleep(0.02)

        self.service.answers["/broadcast"] = drip
        announcement = self.announce(timeout=0.2)
        self.clock.skip_wait()
        self.assertEqual(announcement.problem, "The service did not answer: nothing came within 0.2 s.")

    def test_takes_over_keywords_and_mappings_and_no_other_fields(self):
        announcement = self.announce()
        meta = {"language": "en"}
        announcement.update({"meta": meta}, players=5)
        meta["language"] = object()
        announcement.update(players=object())
        announcement.update(max_players=float("nan"))
        self.clock.skip_wait()
        told = self.service.wait_for("/ping")[0]["body"]
        self.assertEqual(told, {**FIELDS, "meta": {"language": "en"}, "players": 5, "server_id": "a"})
        self.assertEqual(sum("The update is not taken over: " in line for line in self.lines), 2)

    def test_goes_on_when_the_log_of_the_game_fails(self):
        def fail(_):
            raise RuntimeError

        announcement = self.announce(log=fail)
        self.clock.skip_wait()
        self.service.wait_for("/ping")
        self.assertEqual(announcement.state, "listed")

    def test_tells_the_logger_gsls_where_there_is_no_other_log(self):
        self.service.answers["/ping"] = lambda handler: handler.answer({}, 503)
        with self.assertLogs("gsls", logging.INFO) as logs:
            self.announce(log=None)
            self.clock.skip_wait()
            self.clock.skip_wait(2)
        self.assertEqual(
            [(each.levelname, each.getMessage()) for each in logs.records],
            [
                ("INFO", "The game server is listed as a."),
                ("WARNING", "The answer is none of GSLS (503). The next ping is in 1 s."),
            ],
        )

    def test_hides_what_a_service_repeats_of_its_secrets(self):
        def repeat(handler):
            sent = [handler.headers[name] for name in ("Authorization", "Idempotency-Key")]
            handler.answer({"status": "error", "error": f"\x1b[2J{' '.join(sent)}", "code": "unauthorized"}, 401)

        self.service.answers["/broadcast"] = repeat
        announcement = self.announce(key="a secret key")
        self.clock.skip_wait()
        problem = "The service refused the broadcast (401): \ufffd[2JBearer (hidden) (hidden)."
        self.assertEqual(announcement.problem, problem)

    def test_is_spread_also_in_a_game_that_seeds_its_random_numbers(self):
        pauses = set()
        for _ in range(2):
            random.seed(29)
            self.clock = ManualClock()
            self.announce()
            pauses.add(self.clock.skip_wait())
        self.assertEqual(len(pauses), 2)

    def test_writes_its_token_for_its_own_user_also_behind_a_symbolic_link(self):
        self.service.answers["/broadcast"] = lambda handler: handler.answer(
            {"status": "success", "server_id": "a"}, Server_Token="a.token"
        )
        with tempfile.TemporaryDirectory() as folder:
            kept, link = os.path.join(folder, "kept"), os.path.join(folder, "link")
            os.symlink(kept, link)
            self.announce(token_file=link)
            self.clock.skip_wait()
            with open(kept) as file:
                self.assertEqual(file.read(), "a.token")
            self.assertTrue(os.path.islink(link))
            self.assertEqual(stat.S_IMODE(os.stat(kept).st_mode), 0o600)
            self.assertEqual(sorted(os.listdir(folder)), ["kept", "link"])

    def test_is_stopped_by_its_own_log(self):
        announcement = self.announce(log=lambda _: announcement.stop())
        self.service.wait_for("/remove")
        announcement.stop()
        self.assertEqual(announcement.state, "stopped")

    def test_refuses_at_once_what_cannot_be_right(self):
        urls = ["", "localhost:53600", "htp://localhost", "http://", "http://local host", "http://user@localhost"]
        urls += ["http://localhost:99999", "http://localhost:0", "http://localhost/?a", "http://localhost/ä"]
        for url in [*urls, "http://a..b", None]:
            with self.assertRaisesRegex(ValueError, "is no URL of a service", msg=url):
                gsls.announce(url, FIELDS)
        for urls in [[], ["http://localhost", "localhost"]]:
            with self.assertRaisesRegex(ValueError, "is no URL of a service"):
                gsls.list(urls)
        with self.assertRaisesRegex(ValueError, "^keep is for a watch without a query$"):
            gsls.watch("http://localhost", "region=eu", keep="list")
        for key in ["a\nb", "a\x00", " a", "a\udc80"]:
            with self.assertRaisesRegex(ValueError, "^the key has characters that no header can have$", msg=repr(key)):
                gsls.watch("http://localhost", key=key)
        for fields in [{"players": object()}, {"players": float("nan")}]:
            with self.assertRaises((TypeError, ValueError)):
                gsls.announce("http://localhost", fields)

    def test_is_removed_at_the_normal_end_of_the_program(self):
        game = self.play("while a.state != 'listed': time.sleep(0.01)")
        self.assertEqual(game.communicate(timeout=PATIENCE)[1], b"".join(b"GSLS: %s\n" % line for line in LIFE))
        self.assertEqual(game.returncode, 0)
        self.assertEqual(self.service.wait_for("/remove")[0]["body"], {"server_id": "a", "server_ip": "auto"})

    def test_is_removed_at_a_signal_that_the_program_handles_wherever_that_comes(self):
        handlers = ["lambda *_: sys.exit(0)", "lambda *_: (a.stop(), sys.exit(0))"]
        for count, handler in enumerate(handlers, start=1):
            game = self.play(f"signal.signal(signal.SIGTERM, {handler})\nwhile True: a.update(players=1)")
            self.service.wait_for("/broadcast", count)
            self.assertEqual(game.stderr.readline(), b"GSLS: %s\n" % LIFE[0])
            game.send_signal(signal.SIGTERM)
            self.assertEqual(game.communicate(timeout=PATIENCE)[1], b"GSLS: %s\n" % LIFE[1])
            self.assertEqual(game.returncode, 0)
            self.service.wait_for("/remove", count)

    def play(self, code):
        program = f"import gsls, signal, sys, time\na = gsls.announce(sys.argv[1], {{}})\n{code}"
        environment = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(gsls.__file__))}
        command = [sys.executable, "-W", "error", "-X", "dev", "-c", program, self.service.url]
        game = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)
        self.addCleanup(game.stderr.close)
        self.addCleanup(game.kill)
        return game

    def test_keeps_its_id_over_a_stop_where_a_file_has_its_token_unless_it_is_stopped_for_good(self):
        self.service.answers["/broadcast"] = lambda handler: handler.answer(
            {"status": "success", "server_id": "a"}, Server_Token="a.token"
        )
        plain = {"server_id": "a", "server_ip": "auto"}
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "token")
            cases = [(file, {}, {**plain, "keep_id": True}), (file, {"keep_id": False}, plain), (None, {}, plain)]
            cases.append((os.path.join(folder, "none", "token"), {}, plain))
            for token_file, how, body in cases:
                self.service.requests.clear()
                self.clock = ManualClock()
                announcement = self.announce(token_file=token_file)
                self.clock.skip_wait()
                announcement.stop(**how)
                self.assertEqual(self.service.wait_for("/remove")[0]["body"], body)
                kept = "its token keeps the id a" if "keep_id" in body else "the id a is given up"
                self.assertEqual(self.lines[-1], f"The game server left the list, and {kept}.")

    def test_hides_the_secrets_of_a_request_that_it_gives_up(self):
        def repeat(handler):
            sent = " ".join([handler.headers["Server-Token"], "x" * 290, handler.headers["Server-Token"]])
            handler.answer({"status": "error", "error": sent, "code": "not_owner"}, 403)

        self.service.answers["/broadcast"] = lambda handler: handler.answer(
            {"status": "success", "server_id": "a"}, Server_Token="a-secret-token"
        )
        self.service.answers["/ping"] = repeat
        self.announce()
        self.clock.skip_wait()
        self.clock.skip_wait(2)
        self.assertNotIn("secret", "".join(self.lines))
        self.assertIn("The service refused the token of a. The next broadcast claims a new id.", self.lines)

    def test_tells_that_it_is_listed_again_and_by_which_id(self):
        ids = iter(["a", "a", "b"])
        self.service.answers["/broadcast"] = lambda handler: handler.answer(
            {"status": "success", "server_id": next(ids)}
        )
        self.service.answers["/ping"] = lambda handler: handler.answer(
            {"status": "error", "error": "x", "code": "unknown_server"}, 404
        )
        self.announce()
        for count in range(1, 6):
            self.clock.skip_wait(count)
        self.service.wait_for("/broadcast", 3)
        self.clock.skip_wait(6)
        self.assertEqual(
            [line for line in self.lines if "listed" in line],
            [
                "The game server is listed as a.",
                "The game server is listed again as a.",
                "The game server is listed again, with the new id b.",
            ],
        )

    def test_does_not_wait_for_a_token_that_nobody_writes_into_a_pipe(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "pipe")
            os.mkfifo(pipe)
            self.announce(token_file=pipe)
            self.service.wait_for("/broadcast")
        self.assertEqual(
            self.lines[0], f"The token file {pipe} cannot be read: it is no file. The broadcast claims a new id."
        )

    def test_passes_over_what_comes_before_an_answer(self):
        def hint(handler):
            handler.wfile.write(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
            handler.answer({"status": "success", "server_id": "a"})

        self.service.answers["/broadcast"] = hint
        self.announce()
        self.clock.skip_wait()
        self.assertEqual(self.lines, ["The game server is listed as a."])


class AWatch(WithService):
    def watch(self, query=""):
        watch = gsls.watch(self.service.url, query, clock=self.clock, log=self.lines.append)
        impatience = threading.Timer(PATIENCE, watch.close)
        impatience.start()
        self.addCleanup(impatience.cancel)
        self.addCleanup(watch.close)
        return watch

    def test_is_closed_by_another_thread_while_it_waits(self):
        watch = self.watch()
        self.assertEqual(next(watch).servers, {"a": SERVER})
        threading.Timer(0.05, watch.close).start()
        self.assertEqual([*watch], [])

    def test_lets_go_of_its_connection_at_the_end_of_its_context(self):
        with self.watch() as watch:
            next(watch)
        self.assertEqual([*watch], [])

    def test_tells_what_is_wrong_with_the_file_of_its_list_once(self):
        with tempfile.TemporaryDirectory() as folder:
            with gsls.watch(self.service.url, keep=folder, clock=self.clock, log=self.lines.append) as watch:
                next(watch)
            expected = [f"The file {folder} cannot be read: ", f"The list cannot be kept in {folder}: "]
            self.assertEqual(len(self.lines), 2, self.lines)
            for line, start in zip(self.lines, expected):
                self.assertTrue(line.startswith(start), line)

    def test_gives_what_its_reader_may_change(self):
        first = json.dumps({**ALL, "servers": []})
        text = f"event: changes\ndata: {first}\n\nevent: changes\ndata: {json.dumps({**ALL, 'full': False})}\n\n"
        self.service.answers["/changes"] = lambda handler: handler.stream(text)
        watch = self.watch()
        next(watch).servers["b"] = SERVER
        self.assertEqual([*next(watch).servers], ["a"])

    def test_escapes_what_no_url_can_hold(self):
        next(self.watch())
        next(self.watch("q=zürich ost\r\n#x&map!=a%2Cb"))
        self.assertEqual(
            [each["target"] for each in self.service.requests],
            ["/changes", "/changes?q=z%C3%BCrich%20ost%0D%0A%23x&map!=a%2Cb"],
        )


class AReport(WithService):
    def test_is_sent_as_the_requests_of_all_clients_are(self):
        self.service.answers["/report"] = lambda handler: handler.answer({"status": "success"})
        gsls.report(self.service.url, "a", "cheating", "", key="a secret key")
        (seen,) = self.service.requests
        self.assertEqual(seen["body"], {"id": "a", "reason": "cheating"})
        self.assertEqual(seen["headers"]["User-Agent"], f"gsls-python/{gsls.__version__}")
        self.assertEqual(seen["headers"]["Authorization"], "Bearer a secret key")

    def test_fails_with_what_a_mirror_says_and_asks_no_other(self):
        told = {"status": "error", "error": "this is a mirror", "code": "read_only"}
        self.service.answers["/report"] = lambda handler: handler.answer(told, 403)
        with self.assertRaisesRegex(gsls.Error, "^this is a mirror$") as caught:
            gsls.report(["http://127.0.0.1:1", self.service.url, self.service.url], "a", "cheating")
        self.assertEqual((caught.exception.status, caught.exception.code), (403, "read_only"))
        self.assertEqual(len(self.service.requests), 1)


class Beacons(WithService):
    def setUp(self):
        super().setUp()
        mark = {"Server_Beacons": "one", "Server_Ping_Interval": "1"}
        for path in ("/broadcast", "/ping"):
            self.service.answers[path] = lambda handler: handler.answer({"status": "success", "server_id": "a"}, **mark)
        self.give([{"id": each, "url": self.service.url + "/beacon"} for each in ("fra", "nyc")])
        self.service.answers["/beacon"] = lambda handler: handler.answer("")
        self.service.answers["/servers"] = lambda handler: handler.answer({"status": "success", "servers": [SERVER]})

    def give(self, beacons):
        body = {"status": "success", "beacons": beacons}
        self.service.answers["/beacons"] = lambda handler: handler.answer(body)

    def skip_waits_until_asked_for(self, path):
        seen = lambda: any(each["path"] == path for each in self.service.requests)
        for count in itertools.count(1):
            if seen():
                return
            self.clock.skip_wait(count)

    def test_that_are_silent_keep_no_thread_beyond_the_stop(self):
        self.service.answers["/beacon"] = lambda handler: handler.server.closed.wait(PATIENCE)
        announcement = self.announce()
        self.skip_waits_until_asked_for("/beacon")
        measuring = announcement._measuring
        announcement.stop()
        measuring.join(1)
        self.assertFalse(measuring.is_alive())
        self.service.wait_for("/remove")

    def test_are_not_asked_for_where_nothing_is_to_be_measured(self):
        self.announce(measure=False)
        for count in range(1, 5):
            self.clock.skip_wait(count)
            self.service.wait_for("/ping", count)
        self.assertEqual({each["path"] for each in self.service.requests}, {"/broadcast", "/ping"})

    def test_are_measured_once_a_day_by_a_reader(self):
        for count in (1, 2):
            self.assertEqual(len(gsls.nearest(self.service.url)), 1)
            with mock.patch("time.monotonic", lambda after=time.monotonic() + 86_400 * (count - 1): after):
                gsls.nearest(self.service.url, "sort=name")
            self.assertEqual(len(self.service.wait_for("/beacons", count)), count)
        targets = [each["target"] for each in self.service.wait_for("/servers")]
        self.assertRegex(targets[0], r"^/servers\?near=fra:\d*[05],nyc:\d*[05]&sort=near&limit=1000$")
        self.assertRegex(targets[1], r"^/servers\?sort=name&near=fra:\d*[05],nyc:\d*[05]&limit=1000$")

    def test_are_sixteen_at_most_and_the_right_ones(self):
        url = self.service.url + "/beacon"
        odd = [None, 7, [], {}, {"id": "a"}, {"id": "a\n", "url": url}, {"id": "a", "url": url + "\n"}]
        odd += [{"id": "a", "url": each} for each in ("http://", "http:///", "http://a:b@c/", "http://a:99999/", "http://[/")]
        self.give(odd + [{"id": f"b{each}", "url": url} for each in range(16_000)])
        with mock.patch.object(gsls._Beacons, "_measure", return_value=8):
            measured = gsls._Beacons(gsls._Service(self.service.url, None, False), 5.0).measure()
        self.assertEqual([*measured], [f"b{each}" for each in range(16)])


class ASearch(WithService):
    def test_gives_labels_and_what_a_later_service_adds(self):
        told = [SERVER, {**SERVER, "id": "b", "labels": ["verified"], "mood": "fine"}]
        self.service.answers["/servers"] = lambda handler: handler.answer({"status": "success", "servers": told})
        self.assertEqual([each.get("labels") for each in gsls.find(self.service.url)], [None, ["verified"]])


class AnEventStream(unittest.TestCase):
    TEXT = "\ufeffretry: 250\r\n\r\nid: 1\nevent: changes\ndata: ä\ndata:b\n\n: a comment\r\rid: 2\n\nevent: none\n\n"
    EVENTS = [("changes", "ä\nb", "1"), ("message", None, "2"), ("none", None, None)]

    def test_is_the_same_in_pieces_of_any_size(self):
        data = self.TEXT.encode()
        for size in range(1, len(data) + 1):
            stream = gsls._EventStream()
            pieces = [data[start : start + size] for start in range(0, len(data), size)]
            self.assertEqual([event for piece in pieces for event in stream.push(piece)], self.EVENTS)
            self.assertEqual(stream.retry, 0.25)

    def test_has_no_event_without_an_end(self):
        stream = gsls._EventStream()
        with mock.patch.object(gsls, "_MOST_OF_A_LIST", 1000), self.assertRaises(gsls.Error):
            for _ in range(11):
                self.assertEqual([*stream.push(b"x" * 100)], [])


class AProxy(WithService):
    def through(self, **proxies):
        return mock.patch.dict(os.environ, {"no_proxy": "", "NO_PROXY": "", **proxies})

    def test_of_the_platform_is_asked_for_the_whole_url(self):
        self.service.answers["http://list.example.com/lists/eu/"] = lambda handler: handler.answer({"servers": []})
        with self.through(http_proxy=f"http://user:pass%40word@{self.service.url[len('http://'):]}"):
            self.assertEqual(gsls.list("http://list.example.com/lists/eu").servers, [])
        headers = self.service.requests[0]["headers"]
        self.assertEqual(headers["Host"], "list.example.com")
        self.assertEqual(headers["Proxy-Authorization"], "Basic dXNlcjpwYXNzQHdvcmQ=")

    def test_of_the_platform_is_asked_to_connect_to_a_service_with_tls(self):
        self.service.answers["list.example.com:443"] = lambda handler: handler.answer({}, 403)
        with self.through(https_proxy=self.service.url), self.assertRaisesRegex(gsls.Error, "403"):
            gsls.list("https://list.example.com", key="a secret key")
        self.assertNotIn("Authorization", self.service.requests[0]["headers"])

    def test_is_left_out_where_the_platform_says_so(self):
        self.service.answers["/"] = lambda handler: handler.answer({"servers": []})
        with self.through(http_proxy="http://127.0.0.1:1", no_proxy="127.0.0.1"):
            self.assertEqual(gsls.list(self.service.url).servers, [])

    def test_of_another_kind_is_told(self):
        with self.through(http_proxy="socks5://user:word@127.0.0.1:1"), self.assertRaises(gsls.Error) as caught:
            gsls.list(self.service.url)
        self.assertEqual(str(caught.exception), "the proxy of this machine is none of http://")


class WithAsyncio(WithService):
    def run_within(self, seconds, work):
        async def main():
            await asyncio.wait_for(work(), seconds)

        asyncio.run(main())

    def test_announces_and_is_off_the_list_after_the_block(self):
        async def work():
            async with self.announce() as announcement:
                while announcement.id is None:
                    await asyncio.sleep(0.01)
            self.assertEqual(announcement.state, "stopped")

        self.run_within(PATIENCE, work)
        self.service.wait_for("/remove")

    def test_does_not_hold_up_the_loop_while_it_stops(self):
        hangs = threading.Event()
        self.addCleanup(hangs.set)
        self.service.answers["/remove"] = lambda _: hangs.wait(PATIENCE)

        async def work():
            ticks = 0
            async with self.announce() as announcement:
                while announcement.id is None:
                    await asyncio.sleep(0.01)
                stopping = asyncio.get_running_loop().create_task(announcement.__aexit__(None, None, None))
                while not stopping.done():
                    await asyncio.sleep(0.01)
                    ticks += 1
            self.assertGreater(ticks, 20)

        self.run_within(PATIENCE, work)

    def test_follows_the_list(self):
        async def work():
            async with gsls.watch(self.service.url) as watch:
                async for changes in watch:
                    self.assertEqual(changes.servers, {"a": SERVER})
                    break

        self.run_within(PATIENCE, work)

    def test_ends_a_watch_whose_task_is_cancelled(self):
        async def work():
            watch = gsls.watch(self.service.url)
            await watch.__anext__()
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(watch.__anext__(), 0.05)
            self.assertEqual([changes async for changes in watch], [])

        self.run_within(PATIENCE, work)


if __name__ == "__main__":
    unittest.main()
