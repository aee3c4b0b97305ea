-- wrk plays prepared requests in turn: BENCH_REQUESTS names a file of JSON lines {method, path, headers, body}
-- flattened as method \t path \t header: value|header: value \t body. Ends with one line of JSON.
local requests, position = {}, 0
function init()
  for line in io.lines(os.getenv("BENCH_REQUESTS")) do
    local method, path, headers, body = line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)\t(.*)$")
    local fields = {}
    for name, value in headers:gmatch("([^|:]+): ([^|]+)") do fields[name] = value end
    requests[#requests + 1] = wrk.format(method, path, fields, body ~= "" and body or nil)
  end
end
function request()
  position = position % #requests + 1
  return requests[position]
end
function done(summary, latency)
  io.write(string.format('\nRESULT {"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"errors":%d}\n', summary.requests,
    summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status + summary.errors.timeout))
end
