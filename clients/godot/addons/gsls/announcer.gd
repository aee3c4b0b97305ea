class_name GslsAnnouncer
extends RefCounted
## Keeps one game server listed at one service, by the rules of docs/write-a-client.md: what is sent next, and when.
## Has no clock, no file, no network and no node, and knows nothing of the game but its fields.

## Sent in place of a token by who has none.
const NO_TOKEN := "claim"

## Seconds between two pings, until the service tells its own.
const PING_INTERVAL := 20.0
## Seconds. A service that asks for more is not heard.
const LONGEST_PING_INTERVAL := 1_000_000.0
## Seconds before the second try; each further pause is twice as long, up to the ping interval.
const FIRST_PAUSE := 1.0
## Seconds, after an error that a person has to correct.
const PAUSE_FOR_A_PERSON := 300.0
## Seconds. No `Retry-After` asks for more.
const LONGEST_RETRY_AFTER := 3600.0

## The entry is gone, or has another address: the token keeps the id.
const BROADCAST_AGAIN: Array[String] = ["unknown_server", "ip_mismatch", "idempotency_key_used"]
## The token is missing or wrong: a new entry is claimed, soon or, where that was of no use, in minutes.
const CLAIM_AGAIN: Array[String] = ["not_owner", "server_token_required"]
## The service has a problem, as it has with all from 500 on: the same request again.
const PASSING_STATUSES: Array[int] = [0, 408, 429]
## There is no room now: the same request again.
const PASSING_CODES: Array[String] = ["address_taken"]

const _MOST_BEACONS := 16
# Of a text that is shown to a person, and of a part of it that the service has said.
const _MOST_CHARACTERS := 1000
const _MOST_OF_A_REASON := 300
const _MONTHS: Array[String] = [
	"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
]

## Of the service; empty where it asks for none. A credential: never show or log it.
var key: String = ""
## Of the entry; empty while there is none.
var id: String = ""
## Proves that the entry is ours. A credential: never show or log it.
var token: String = NO_TOKEN
## What went wrong last, in a sentence that can be printed; empty while all is well.
var problem: String = ""
## How a sentence about the next request begins, after a problem.
var following: String = ""
## The header `Server-Verification` as last told.
var verification: String = ""
## The header `Server-Join-Code` as last told.
var join_code: String = ""

## The header `Server-Beacons` as last told; empty while the service has none.
var mark: String = ""
## What was measured to them, in ms by their ids: each broadcast and ping tells it.
var latency: Dictionary = {}
## Whether the last answer asks to measure within a ping interval.
var is_to_measure: bool = false
## Seconds between two pings.
var ping_interval: float = PING_INTERVAL

## Lets a broadcast that was not answered be repeated. A credential like the token, and as hard to guess.
var _idempotency_key: String = _new_uuid()
var _failures: int = 0
## Whether a refused token may be replaced soon; then not before a ping was accepted.
var _may_claim: bool = true


## What is to be sent now: a broadcast, or a ping once there is an entry. Without `server_ip` it is `auto`.
func next(fields: Dictionary) -> Request:
	var body: Dictionary = fields.duplicate()
	body["server_ip"] = fields.get("server_ip", "auto")
	if not latency.is_empty() and not body.has("latency"):
		body["latency"] = latency
	if id.is_empty():
		var broadcast: Request = _request("/broadcast", body)
		broadcast.headers["Idempotency-Key"] = _idempotency_key
		return broadcast
	body["server_id"] = id
	return _request("/ping", body)


## What takes the entry off the list; null if there is none. [param keeps_id]: its token brings the id back.
func remove(fields: Dictionary, keeps_id: bool = false) -> Request:
	if id.is_empty():
		return null
	var body: Dictionary = {"server_id": id, "server_ip": fields.get("server_ip", "auto")}
	if keeps_id:
		body["keep_id"] = true
	return _request("/remove", body)


## Takes the answer to the request of [method next], and returns the seconds until the next one is due.
## [param chance] is random, from 0 to 1.
func take(answer: Answer, chance: float) -> float:
	verification = _printable(answer.headers.get("server-verification", verification))
	join_code = _printable(answer.headers.get("server-join-code", join_code))
	_heed_beacons(answer)
	var was_listed: bool = not id.is_empty()
	if _accepts(answer):
		# Those that began together ping at different times, from the first ping on.
		return ping_interval * (0.9 + 0.2 * chance if was_listed else chance)
	var what: String = "ping" if was_listed else "broadcast"
	problem = problem_of(answer, what)
	following = "A new broadcast follows"
	var is_of_gsls: bool = _is_of_gsls(answer)
	var code: String = code_of(answer)
	if code in BROADCAST_AGAIN:
		_begin_anew()
		return ping_interval * chance
	# What no service has issued, such as a file that another program wrote.
	var is_token_damaged: bool = code == "invalid_request" and not was_listed and token != NO_TOKEN
	if code in CLAIM_AGAIN or is_token_damaged:
		var pause: float = ping_interval * chance if _may_claim else PAUSE_FOR_A_PERSON
		_begin_anew()
		token = NO_TOKEN
		_may_claim = false
		return pause
	following = "The next %s is" % what
	var is_passing: bool = answer.status in PASSING_STATUSES or answer.status >= 500 or code in PASSING_CODES
	if is_passing or not is_of_gsls:
		var growing: float = minf(ping_interval, FIRST_PAUSE * pow(2.0, _failures))
		_failures += 1
		return maxf(growing * (0.5 + chance / 2.0), _retry_after(answer.headers))
	return PAUSE_FOR_A_PERSON


func _heed_beacons(answer: Answer) -> void:
	var told: String = mark
	if answer.status == 200 and _text(answer.body, "status") == "success":
		told = answer.headers.get("server-beacons", "")
	is_to_measure = not told.is_empty() and (told != mark or code_of(answer) == "ip_mismatch")
	mark = told
	if mark.is_empty():
		latency = {}


## What asks for the beacons: without a body it is a GET.
func ask_beacons() -> Request:
	var request: Request = _request("/beacons", {})
	request.headers.erase("Server-Token")
	request.headers.erase("Content-Type")
	return request


## The beacons of the answer to [method ask_beacons]: of each its id, and the scheme, host, port and path of its URL.
static func beacons_of(answer: Answer) -> Array[Array]:
	var beacons: Array[Array] = []
	var pattern: RegEx = RegEx.new()
	pattern.compile("(?i)^(https?)://(?|([^\\s:/?#@\\[\\]]+)|\\[([\\da-f:.]+)\\])(?::(\\d{1,5}))?(/[!\"$-~]*)?$")
	var id_pattern: RegEx = RegEx.new()
	id_pattern.compile("^[a-z0-9-]{1,16}$")
	var told: Variant = answer.body.get("beacons")
	var is_told: bool = answer.status == 200 and _text(answer.body, "status") == "success" and told is Array
	for each: Variant in told if is_told else []:
		var members: Dictionary = each if each is Dictionary else {}
		var id: String = _text(members, "id")
		var url: RegExMatch = pattern.search(_text(members, "url"))
		if url != null and id_pattern.search(id) != null and beacons.size() < _MOST_BEACONS:
			beacons.append([id, url.get_string(1), url.get_string(2), url.get_string(3), "/" + url.get_string(4).substr(1)])
	return beacons


## Whether the request was carried out, by an answer of GSLS: a proxy may answer 200 to anything.
func _accepts(answer: Answer) -> bool:
	var told: String = _text(answer.body, "server_id")
	if answer.status != 200 or _text(answer.body, "status") != "success":
		return false
	if id.is_empty() and told.is_empty():
		return false
	if id.is_empty():
		id = told
	else:
		_may_claim = true
	problem = ""
	_failures = 0
	token = answer.headers.get("server-token", token)
	var interval: String = answer.headers.get("server-ping-interval", "")
	if interval.is_valid_float():
		var seconds: float = interval.to_float()
		if seconds >= 1.0 and seconds <= LONGEST_PING_INTERVAL:
			ping_interval = seconds
	return true


func _begin_anew() -> void:
	id = ""
	_idempotency_key = _new_uuid()
	_failures = 0


func _request(path: String, body: Dictionary) -> Request:
	var request: Request = Request.new()
	request.path = path
	request.headers = {"Content-Type": "application/json", "Server-Token": token}
	if not key.is_empty():
		request.headers["Authorization"] = "Bearer " + key
	request.body = body
	return request


## Without secrets, as a service may say back what it was sent; begins no line, moves no cursor, changes no color and no
## direction, and is not very long.
func _printable(text: String) -> String:
	var shown: String = text
	for secret: String in [key, token, _idempotency_key]:
		if not secret.is_empty() and secret != NO_TOKEN:
			shown = shown.replace(secret, "…")
	var no_text: RegEx = RegEx.new()
	no_text.compile("[\\x00-\\x1f\\x7f-\\x9f\\x{200e}\\x{200f}\\x{2028}-\\x{202e}\\x{2066}-\\x{2069}]")
	return no_text.sub(shown, "?", true).left(_MOST_CHARACTERS)


## The seconds that the service asks to wait for; 0 if it says none.
static func _retry_after(headers: Dictionary) -> float:
	var text: String = headers.get("retry-after", "")
	if text.is_valid_int():
		return clampf(text.to_float(), 0.0, LONGEST_RETRY_AFTER)
	# The clock of this machine may be wrong: the service says by its own what time it is.
	var at: int = _unix_time(text)
	var now: int = _unix_time(headers.get("date", ""))
	return clampf(at - now, 0.0, LONGEST_RETRY_AFTER) if at > 0 and now > 0 else 0.0


## A date of HTTP, such as `Sun, 06 Nov 1994 08:49:37 GMT`, in seconds since 1970; 0 for any other text.
static func _unix_time(text: String) -> int:
	var parts: PackedStringArray = text.replace(":", " ").split(" ", false)
	if parts.size() != 8 or parts[7] != "GMT" or not parts[2] in _MONTHS:
		return 0
	var first_of_month: int = Time.get_unix_time_from_datetime_dict({
		"year": clampi(parts[3].to_int(), 1970, 9999),
		"month": _MONTHS.find(parts[2]) + 1,
		"day": 1,
		"hour": 0,
		"minute": 0,
		"second": 0,
	})
	var hours: int = 24 * (parts[1].to_int() - 1) + parts[4].to_int()
	return first_of_month + 60 * (60 * hours + parts[5].to_int()) + parts[6].to_int()


## Why an answer to what was asked for is no success, in a sentence that can be printed.
func problem_of(answer: Answer, what: String) -> String:
	if answer.status == 0:
		return "The service did not answer: " + as_end(answer.reason)
	var told: String = _text(answer.body, "error")
	if code_of(answer) == "unknown_server" and what == "ping":
		return "The service does not know the id %s any more." % as_part(id)
	if _is_of_gsls(answer) and not told.is_empty():
		return "The service refused the %s (%d): %s" % [what, answer.status, as_end(told)]
	var location: String = answer.headers.get("location", "")
	if answer.status >= 300 and answer.status < 400 and not location.is_empty():
		return "The answer leads to %s, and no redirect is followed (%d)." % [as_part(location), answer.status]
	return "The answer is none of GSLS (%d)." % answer.status


## A text of the service as a part of a sentence.
func as_part(text: String) -> String:
	var shown: String = _printable(text)
	return shown if shown.length() <= _MOST_OF_A_REASON else shown.left(_MOST_OF_A_REASON) + "…"


## A text of the service as the end of a sentence, with one mark.
func as_end(text: String) -> String:
	var shown: String = as_part(text).strip_edges()
	return shown if shown.ends_with(".") or shown.ends_with("?") or shown.ends_with("!") else shown + "."


## The code of an error of GSLS; empty for any other answer.
func code_of(answer: Answer) -> String:
	return _text(answer.body, "code") if _is_of_gsls(answer) else ""


## Each answer of GSLS has a status in its body, and is no redirect.
static func _is_of_gsls(answer: Answer) -> bool:
	return not _text(answer.body, "status").is_empty() and not (answer.status >= 300 and answer.status < 400)


## The text by this name; empty for anything else, as all of it comes from outside.
static func _text(body: Dictionary, name: String) -> String:
	return body[name] if body.get(name) is String else ""


## Of 122 random bits (RFC 9562, version 4).
static func _new_uuid() -> String:
	var bytes: PackedByteArray = Crypto.new().generate_random_bytes(16)
	bytes[6] = bytes[6] & 0x0f | 0x40
	bytes[8] = bytes[8] & 0x3f | 0x80
	var hex: String = bytes.hex_encode()
	var parts: Array[String] = [hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4), hex.substr(16, 4), hex.substr(20)]
	return "%s-%s-%s-%s-%s" % parts


## A POST to the service, with a body of JSON.
class Request:
	## Behind the URL of the service.
	var path: String = ""
	## The values by their names.
	var headers: Dictionary = {}
	var body: Dictionary = {}


## What came of a request.
class Answer:
	## 0 without an answer.
	var status: int = 0
	## The values by their names, which are in lower case.
	var headers: Dictionary = {}
	## The members of an object of JSON; none of anything else, such as the page of a proxy.
	var body: Dictionary = {}
	## Why there is no answer, for a person.
	var reason: String = ""
