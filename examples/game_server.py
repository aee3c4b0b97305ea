"""Keeps a game server listed in GSLS. Python 3.8 or later, nothing to install.

    python3 game_server.py http://localhost:53600 [token file]

In a game, run keep_listed in a thread, as at the end of this file: the game never waits for it. With a token file of
its own, a game server that crashed and starts again keeps its id.
"""
import http.client, json, os, random, signal, sys, threading, urllib.parse, uuid

KEY = os.environ.get("GSLS_KEY")  # only where the service asks for one
GAME_SERVER = {"server_host": "eu1.example.com", "server_name": "Frankfurt 1", "server_port": 7777,
               "server_ip": "auto",  # the address that this request comes from; or the public address itself
               "players": 3, "max_players": 16,
               "map": "de_dust2", "mode": "bomb defusal"}  # optional, as is more: see docs/api.md#details


def keep_listed(url, current_fields, stopped, token_file=""):
    """Broadcasts, pings until the event `stopped` is set, removes. `current_fields()` tells the fields of now."""
    scheme, host, *_ = urllib.parse.urlsplit(url)
    connect = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
    connection = connect(host, timeout=5)
    token = read(token_file) or "claim"  # proves that the entry is ours: never show or log it

    def send(path, fields, **headers):
        """The status, the headers and the body of the answer; status 0 without an answer."""
        headers["Server-Token"] = token
        if KEY:
            headers["Authorization"] = f"Bearer {KEY}"
        try:
            connection.request("POST", path, json.dumps(fields), headers)
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, answer.headers, json.loads(text) if text.startswith(b"{") else {}
        except (OSError, http.client.HTTPException, ValueError):
            connection.close()  # the next request opens it again
            return 0, {}, {"error": "no answer"}

    server_id, key, interval, failures, may_claim = None, str(uuid.uuid4()), 20, 0, True
    while not stopped.is_set():
        if server_id is None:
            status, headers, body = send("/broadcast", current_fields(), **{"Idempotency-Key": key})
        else:
            status, headers, body = send("/ping", {**current_fields(), "server_id": server_id})

        code = body.get("code")
        if status == 200:
            may_claim = may_claim or server_id is not None
            server_id, failures = body.get("server_id", server_id), 0
            if headers.get("Server-Token", token) != token:
                token = headers["Server-Token"]
                if token_file:
                    write(token_file, token)
            interval = number(headers, "Server-Ping-Interval") or interval
            pause = interval * random.uniform(0.9, 1.1)
        elif code in ("unknown_server", "idempotency_key_used", "ip_mismatch"):
            # Broadcast again. Our token keeps the id, unless the entry was removed.
            server_id, key = None, str(uuid.uuid4())
            pause = interval * random.random()
        elif code in ("not_owner", "server_token_required"):
            pause = interval * random.random() if may_claim else 300  # soon, but once until a ping succeeds
            server_id, key, token, may_claim = None, str(uuid.uuid4()), "claim", False
        elif status in (0, 408, 429) or status >= 500 or code == "address_taken":
            pause = min(interval, 2 ** min(failures, 10)) * random.uniform(0.5, 1)
            pause = max(pause, number(headers, "Retry-After"))
            failures += 1  # a problem that passes: the same request again, later each time
        else:
            pause = 300  # a person has to correct something
        if status != 200:
            print(f"GSLS: {body.get('error', status)}; again in {pause:.0f} s", file=sys.stderr, flush=True)
        stopped.wait(pause)
    if server_id is not None:
        connection.close()  # one that was idle may be closed by now, and this is the only attempt
        send("/remove", {"server_id": server_id, "server_ip": current_fields()["server_ip"]})


def number(headers, name):
    text = headers.get(name, "")
    return int(text) if text.isdecimal() else 0


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path) as file:
        return file.read().strip()


def write(path, token):
    """Into a file that other users cannot read."""
    try:
        with open(path, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(token)
    except OSError as error:
        print("GSLS: the token is not kept:", error, file=sys.stderr)


if __name__ == "__main__":
    stopped = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stopped.set())
    thread = threading.Thread(target=keep_listed, args=(sys.argv[1], lambda: GAME_SERVER, stopped, *sys.argv[2:]))
    thread.start()
    thread.join()
