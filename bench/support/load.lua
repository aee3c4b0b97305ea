-- wrk plays prepared requests in turn: BENCH_REQUESTS names a file of JSON lines {method, path, headers, body}
-- flattened as method \t path \t header: value|header: value \t body. Ends with one line of JSON, after BENCH_COUNT
-- requests or the time of -d, whichever is first.
local requests, position = {}, 0
local left = tonumber(os.getenv("BENCH_COUNT")) or math.huge
function init()
  for line in io.lines(os.getenv("BENCH_REQUESTS")) do
    local method, path, headers, body = line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)\t(.*)$")
    local fields = {}
    for name, value in headers:gmatch("([^|:]+): ([^|]+)") do fields[name] = value end
    requests[#requests + 1] = wrk.format(method, path, fields, body ~= "" and body or nil)
  end
end
function request()
  left = left - 1
  if left < 0 then
    wrk.thread:stop()
    -- The program itself sleeps until its time is over, or it, and not this thread, is interrupted.
    if left == -1 then io.popen("while sleep 0.05 && kill -INT $PPID 2> /dev/null; do :; done") end
  end
  position = position % #requests + 1
  return requests[position]
end
function done(summary, latency)
  io.write(string.format('\nRESULT {"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"errors":%d}\n', summary.requests,
    summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout))
end
