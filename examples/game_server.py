"""Keeps a game server listed in GSLS. Python 3.8 or later, nothing to install.

    python3 game_server.py http://localhost:53600 [token file]

Importing it starts nothing. In a game, run Listing.keep in a thread, as at the end of this file: the game never waits
for it.
"""
import http.client, json, os, random, re, signal, sys, threading, urllib.parse, uuid

SERVICE_URL = re.compile(r"https?://([^\s:/?#@[\]]+|\[[\w:.]+\])(:\d{1,5})?(/[^\s?#]*)?", re.IGNORECASE)
PRINTABLE = re.compile("[ -~]*")


class Listing:
    """With a token file of its own, a game server that crashed and starts again keeps its id. The key is only for a
    service that asks for one. Raises ValueError if one of them cannot be right, OSError for a file it cannot read."""

    def __init__(self, url, key="", token_file=""):
        if not SERVICE_URL.fullmatch(url):
            raise ValueError(f'"{url}" is no URL of a service, such as http://localhost:53600')
        if not PRINTABLE.fullmatch(key):
            raise ValueError("the key has characters that no header can have")
        parts = urllib.parse.urlsplit(url)
        connect = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.connection = connect(parts.hostname, parts.port, timeout=5)
        self.path, self.key, self.token_file = parts.path.rstrip("/"), key, token_file
        self.told = {}  # what was printed last, by topic
        self.token = read(token_file) or "claim"  # proves that the entry is ours: never show or log it
        if not PRINTABLE.fullmatch(self.token):
            self.claim_anew()

    def keep(self, current_fields, stopped):
        """Broadcasts, pings until the event `stopped` is set, removes. `current_fields()` tells the fields of now. What
        goes wrong is printed, and it goes on."""
        server_id, key, interval, failures, may_claim = None, str(uuid.uuid4()), 20, 0, True
        while not stopped.is_set():
            if server_id is None:
                status, headers, body = self.send("/broadcast", current_fields(), **{"Idempotency-Key": key})
            else:
                status, headers, body = self.send("/ping", {**current_fields(), "server_id": server_id})

            code = body.get("code")
            # What no service has issued, such as a file that another program wrote.
            is_token_damaged = code == "invalid_request" and server_id is None and self.token != "claim"
            is_accepted = status == 200 and (server_id or body.get("server_id"))
            if is_accepted:
                may_claim = may_claim or server_id is not None
                server_id, failures = body.get("server_id", server_id), 0
                self.keep_token(headers.get("Server-Token", self.token))
                interval = number(headers, "Server-Ping-Interval") or interval
                pause = interval * random.uniform(0.9, 1.1)
            elif code in ("unknown_server", "idempotency_key_used", "ip_mismatch"):
                # Broadcast again. Our token keeps the id, unless the entry was removed.
                server_id, key = None, str(uuid.uuid4())
                pause = interval * random.random()
            elif code in ("not_owner", "server_token_required") or is_token_damaged:
                self.claim_anew()
                pause = interval * random.random() if may_claim else 300  # soon, but once until a ping succeeds
                server_id, key, may_claim = None, str(uuid.uuid4()), False
            elif status in (0, 408, 429) or status >= 500 or code == "address_taken":
                pause = min(interval, 2 ** min(failures, 10)) * random.uniform(0.5, 1)
                pause = max(pause, number(headers, "Retry-After"))
                failures += 1  # a problem that passes: the same request again, later each time
            else:
                pause = 300  # a person has to correct something
            if is_accepted:
                self.tell("state", "the service has our entry")
            else:
                self.tell("state", f"{status or 'no answer'}: {body['error']}", f"; again in {pause:.0f} s")
            for name in ("Server-Verification", "Server-Join-Code"):
                if name in headers:
                    self.tell(name, f"{name}: {headers[name]}")
            stopped.wait(pause)
        if server_id is not None:
            self.connection.close()  # one that was idle may be closed by now, and this is the only attempt
            self.send("/remove", {"server_id": server_id, "server_ip": current_fields()["server_ip"]})

    def send(self, path, fields, **headers):
        """The status, the headers and the body of the answer; status 0 without an answer."""
        headers["Server-Token"] = self.token
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        try:
            self.connection.request("POST", self.path + path, json.dumps(fields), headers)
            answer = self.connection.getresponse()
            text, location = answer.read(), answer.headers.get("Location")
            body = {"error": f"this leads to {location}" if location else "this is no answer of GSLS"}
            if text.startswith(b"{"):
                body.update(json.loads(text))
            return answer.status, answer.headers, body
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.connection.close()  # the next request opens it again
            return 0, {}, {"error": str(error)}

    def keep_token(self, issued):
        if issued == self.token:
            return
        self.token = issued
        try:
            if self.token_file:
                write(self.token_file, issued)
        except OSError as error:
            self.tell("token", f"the token is not kept: {error}")

    def claim_anew(self):
        self.token = "claim"
        whose = f"in {self.token_file}" if self.token_file else "of our entry"
        self.tell("token", f"the token {whose} is not valid: a new entry is claimed")

    def tell(self, topic, text, more=""):
        """Prints only what is new about the topic."""
        if self.told.get(topic) != text:
            print(f"GSLS: {text}{more}", file=sys.stderr, flush=True)
        self.told[topic] = text


def number(headers, name):
    text = headers.get(name, "")
    return int(text) if text.isdecimal() else 0


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path, errors="replace") as file:
        return file.read().strip()


def write(path, token):
    """Into a file that other users cannot read."""
    with open(path, "w", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(token)


if __name__ == "__main__":
    game_server = {"server_host": "eu1.example.com", "server_name": "Frankfurt 1", "server_port": 7777,
                   "server_ip": "auto",  # the address that this request comes from; or the public address itself
                   "players": 3, "max_players": 16,
                   "map": "de_dust2", "mode": "bomb defusal"}  # optional, as is more: see docs/api.md#details
    stopped = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stopped.set())
    try:
        listing = Listing((sys.argv + [""])[1], os.environ.get("GSLS_KEY", ""), *sys.argv[2:3])
    except (ValueError, OSError) as error:
        sys.exit(f"GSLS: {error}")
    thread = threading.Thread(target=listing.keep, args=(lambda: game_server, stopped))
    thread.start()
    thread.join()
