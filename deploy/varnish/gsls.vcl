# Varnish 7.1 or later as a cache of lists, to /etc/varnish. It knows no TLS: nginx, Caddy or another proxy stands before
# it, and it stands before the replicas. To change: the replicas. Start each with --list-max-age 1000, and --trust-proxy
# with the address of this Varnish and of each proxy before it.
vcl 4.1;

import directors;
import std;

# How long readers get the last list while no replica gives another, counted from when it was current.
sub grace_without_replicas {
    set beresp.grace = 1h - beresp.age;
}

# And while one does: no longer than --list-max-age. Meanwhile Varnish fetches a newer one, once for all readers.
sub grace_with_replicas {
    set req.grace = 1s;
}

# A replica is well as long as it answers, Redis or not. Where readers need a key, send it in place of the url:
#     .request = "GET /health HTTP/1.1" "Host: gsls" "Authorization: Bearer KEY" "Connection: close";
probe well {
    .url = "/health";
    .interval = 500ms;
    .timeout = 600ms;
    .window = 2;
    .threshold = 1;
}

# A replica answers within 2 s whatever Redis does: one that does not is frozen.
backend replica_1 {
    .host = "127.0.0.1";
    .port = "53600";
    .connect_timeout = 1s;
    .first_byte_timeout = 3s;
    .between_bytes_timeout = 10s;
    .probe = well;
}

# Replicas or mirrors, a backend each.
sub vcl_init {
    new replicas = directors.round_robin();
    replicas.add_backend(replica_1);
}

sub vcl_recv {
    set req.backend_hint = replicas.backend();
    # A stream goes through as it comes, for hours.
    if (req.url ~ "/changes(\?|$)" && req.http.Accept ~ "text/event-stream") {
        return (pipe);
    }
    if ((req.method != "GET" && req.method != "HEAD") || req.http.Authorization) {
        return (pass);
    }
    # The list, its parts, its numbers, and the lists of DDNet and Luanti. A ping may be a GET: nothing else is kept.
    if (req.url !~ "^[^?]*/((servers|stats|history|list|servers\.json)|servers/[^?]+)?(\?|$)") {
        return (pass);
    }
    unset req.http.Cookie;
    # What is after the question mark of the list changes nothing, and would make as many copies as a client likes.
    set req.url = regsub(req.url, "^([^?]*/)\?.*$", "\1");
    if (req.restarts == 0 && std.healthy(req.backend_hint)) {
        call grace_with_replicas;
    } else {
        # That of the list alone counts. A restart would keep the other one.
        set req.grace = 1w;
    }
    return (hash);
}

sub vcl_backend_response {
    # The last list stays: an error in its place would hide it.
    if (beresp.status >= 500 && !beresp.uncacheable) {
        return (abandon);
    }
    # A replica names what shared caches may keep: never what needs a key.
    if (!beresp.http.CDN-Cache-Control) {
        set beresp.uncacheable = true;
        set beresp.ttl = 10s;
        return (deliver);
    }
    call grace_without_replicas;
    # While Redis is away a list is older than its max-age. It has its Warning and Age, and is asked for once in a second.
    if (beresp.ttl <= 0s) {
        set beresp.ttl = 1s;
    }
    return (deliver);
}

sub vcl_backend_error {
    # A request without a body goes to another replica. Game servers repeat theirs themselves.
    if (bereq.retries == 0 && (bereq.method == "GET" || bereq.method == "HEAD")) {
        return (retry);
    }
    return (abandon);
}

sub vcl_synth {
    # A replica that seemed well has failed: now the last list is good enough.
    if (req.restarts == 0 && (req.method == "GET" || req.method == "HEAD")) {
        return (restart);
    }
    set resp.http.Content-Type = "application/json; charset=utf-8";
    set resp.http.Cache-Control = "no-store";
    set resp.http.Retry-After = std.integer(real = std.random(1, 4));
    set resp.body = """{"status":"error","error":"no replica can be reached right now: try again later","code":"registry_unavailable"}""";
    return (deliver);
}

sub vcl_deliver {
    # A list that no replica has confirmed is marked as a replica marks a stale one, also in its tag.
    if (obj.ttl < -5s && resp.http.CDN-Cache-Control && !resp.http.Warning) {
        set resp.http.Warning = {"110 - "Response is Stale""};
        if (resp.http.ETag) {
            set resp.http.ETag = regsub(resp.http.ETag, {"(-gzip|-br)?"$"}, {"-stale\1""});
        }
    }
}
