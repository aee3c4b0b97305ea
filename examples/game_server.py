"""Keeps a game server listed in GSLS. Python 3.8 or later, nothing to install.

    python3 game_server.py http://localhost:53600

In a game, run keep_listed in a thread, as at the end of this file: the game never waits for it.
"""
import http.client, json, os, random, signal, sys, threading, urllib.parse, uuid

KEY = os.environ.get("GSLS_KEY")  # only where the service asks for one
GAME_SERVER = {"server_host": "eu1.example.com", "server_name": "Frankfurt 1", "server_port": 7777,
               "server_ip": "203.0.113.7", "players": 3, "max_players": 16}


def keep_listed(url, current_fields, stopped):
    """Broadcasts, pings until the event `stopped` is set, removes. `current_fields()` tells the fields of now."""
    scheme, host, *_ = urllib.parse.urlsplit(url)
    connect = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
    connection = connect(host, timeout=5)

    def send(path, fields, **headers):
        """The status, the headers and the body of the answer; status 0 without an answer."""
        if KEY:
            headers["Authorization"] = f"Bearer {KEY}"
        try:
            connection.request("POST", path, json.dumps(fields), headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            connection.close()  # the next request opens it again
            return 0, {}, {}

    server_id, key, interval, failures = None, str(uuid.uuid4()), 20, 0
    while not stopped.is_set():
        if server_id is None:
            status, headers, body = send("/broadcast", current_fields(), **{"Idempotency-Key": key})
        else:
            status, headers, body = send("/ping", {**current_fields(), "server_id": server_id})

        if status == 200:
            server_id, failures = body.get("server_id", server_id), 0
            interval = int(headers["Server-Ping-Interval"])
            pause = interval * random.uniform(0.9, 1.1)
        elif body.get("code") in ("unknown_server", "idempotency_key_used"):
            server_id, key = None, str(uuid.uuid4())  # the entry is gone: broadcast again
            pause = interval * random.random()
        elif status in (0, 408, 429) or status >= 500:
            pause = min(interval, 2 ** min(failures, 10)) * random.uniform(0.5, 1)
            pause = max(pause, int(headers.get("Retry-After", 0)))
            failures += 1  # a problem that passes: the same request again, later each time
        else:
            print("GSLS refuses this game server:", body.get("error", status), file=sys.stderr)
            pause = 300  # a person has to correct something
        stopped.wait(pause)
    if server_id is not None:
        connection.close()  # one that was idle may be closed by now, and this is the only attempt
        send("/remove", {"server_id": server_id, "server_ip": current_fields()["server_ip"]})


if __name__ == "__main__":
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    thread = threading.Thread(target=keep_listed, args=(sys.argv[1], lambda: GAME_SERVER, stopped))
    thread.start()
    thread.join()
