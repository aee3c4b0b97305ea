"""Follows the servers of GSLS that match a query, as a server browser in a game does. Python 3.8 or later.

    python3 server_browser.py http://localhost:53600 "region=eu&players=1..&full=false"

Asks every two seconds for what has changed, and prints it: + a server that is new or has changed, - one that has left.
"""
import json, os, random, re, sys, time, urllib.error, urllib.request

SERVICE_URL = re.compile(r"https?://([^\s:/?#@[\]]+|\[[\w:.]+\])(:\d{1,5})?(/[^\s?#]*)?", re.IGNORECASE)
KEY = os.environ.get("GSLS_KEY")  # only where reading needs one


def follow(url, query, on_change):
    """Calls on_change(servers, changed, removed) after each change, for ever; `servers` is all that match, by id."""
    if not SERVICE_URL.fullmatch(url):
        raise SystemExit(f'"{url}" is no URL of a service, such as http://localhost:53600')
    servers, tag, failures, problem = {}, "", 0, ""
    while True:
        request = urllib.request.Request(f"{url.rstrip('/')}/changes?since={tag}&{query}")
        if KEY:
            request.add_header("Authorization", f"Bearer {KEY}")
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                changes = json.load(answer)
        except (OSError, ValueError) as error:
            if isinstance(error, urllib.error.HTTPError) and error.code in (400, 401):
                raise SystemExit(json.load(error)["error"])  # the query or the key is wrong
            if str(error) != problem:
                problem = str(error)
                print("GSLS:", problem, file=sys.stderr, flush=True)
            failures += 1
            time.sleep(min(30, 2 ** failures) * random.random())  # keep what is known: it comes back
            continue
        changed, removed = changes["servers"], changes["removed"]
        if changes["full"]:
            kept = {server["id"] for server in changed}
            removed = [server_id for server_id in servers if server_id not in kept]
        for server_id in removed:
            servers.pop(server_id, None)
        for server in changed:
            servers[server["id"]] = server
        if changed or removed:
            on_change(servers, changed, removed)
        tag, failures, problem = changes["tag"], 0, ""
        time.sleep(2 * random.uniform(0.9, 1.1))


def show(servers, changed, removed):
    for server_id in removed:
        print("-", server_id, flush=True)
    for server in changed:
        print("+", server["id"], f'{server["players"]}/{server["max_players"]}', server["name"], flush=True)


if __name__ == "__main__":
    follow((sys.argv + [""])[1], sys.argv[2] if len(sys.argv) > 2 else "", show)
