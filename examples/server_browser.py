"""Follows the servers of GSLS that match a query, with its client for Python. Copy the folder gsls of clients/python
beside it.

    python3 server_browser.py http://localhost:53600 "region=eu&players=1..&full=false"

Prints what changes: + a server that is new or has changed, - one that has left.
"""
import os
import sys

# Where the client is in this repository; a copy beside this file, or an installed one, comes first.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "clients", "python"))
import gsls


def say(line):
    print("GSLS:", line, file=sys.stderr, flush=True)


def main(url="", query=""):
    try:
        watch = gsls.watch(url, query, key=os.environ.get("GSLS_KEY"), log=say)  # a key where reading needs one
    except ValueError as error:
        sys.exit(f"GSLS: {error}")
    for changes in watch:
        for server_id in changes.removed:
            print("-", server_id, flush=True)
        for server in changes.changed:
            print("+", server["id"], f'{server["players"]}/{server["max_players"]}', server["name"], flush=True)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except KeyboardInterrupt:
        pass
