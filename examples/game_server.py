"""Keeps a game server listed in GSLS, with its client for Python. Copy the folder gsls of clients/python beside it.

    python3 game_server.py http://localhost:53600 [token file]

Importing it starts nothing. In a game, call gsls.announce as below: the game never waits for it.
"""
import os
import signal
import sys
import threading

# Where the client is in this repository; a copy beside this file, or an installed one, comes first.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "clients", "python"))
import gsls

GAME_SERVER = {
    "server_host": "eu1.example.com",
    "server_name": "Frankfurt 1",
    "server_port": 7777,
    "server_ip": "auto",  # the address that this request comes from; or the public address itself
    "players": 3,
    "max_players": 16,
    "map": "de_dust2",  # optional, as is more: see docs/api.md#details
    "mode": "bomb defusal",
}


def say(line):
    print("GSLS:", line, file=sys.stderr, flush=True)


def main(url="", token_file=None):
    ended = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: ended.set())
    try:
        announcement = gsls.announce(
            url, GAME_SERVER, key=os.environ.get("GSLS_KEY"), token_file=token_file, log=say
        )
    except ValueError as error:
        sys.exit(f"GSLS: {error}")
    with announcement:
        ended.wait()  # the game; announcement.update(players=5) tells what changes in it


if __name__ == "__main__":
    main(*sys.argv[1:3])
