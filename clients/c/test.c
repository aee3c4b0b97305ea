/*
 * Tests of gsls.c without a network: its JSON, what it reads in headers, its clock, and the rules over a transport that
 * is a script. Prints a line for each test; the exit code is the verdict. Valid as C99 and C++11. Needs a folder to
 * write to.
 *
 *   cc -DGSLS_NO_CURL -fsanitize=address,undefined -o test test.c && ./test
 */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdlib.h>

/** How many allocations succeed before one fails; negative: all do. */
static int allocations_left = -1;

static bool may_allocate(void);

static void *scarce_calloc(size_t count, size_t size) { return may_allocate() ? calloc(count, size) : NULL; }

static void *scarce_realloc(void *data, size_t size) { return may_allocate() ? realloc(data, size) : NULL; }

#define calloc scarce_calloc
#define realloc scarce_realloc
#include "gsls.c"

static bool may_allocate(void) {
  if (allocations_left == 0) return false;
  if (allocations_left > 0) allocations_left--;
  return true;
}

static void remove_file(const char *path) {
#ifdef _WIN32
  wchar_t *wide = wide_path(path, L"");
  DeleteFileW(wide);
  free(wide);
#else
  unlink(path);
#endif
}

static int failures = 0;

#define EXPECT(condition) expect((condition), #condition, __LINE__, "")
#define EXPECT_OF(condition, about) expect((condition), #condition, __LINE__, about)

static void expect(bool is_right, const char *what, int line, const char *about) {
  if (is_right) return;
  printf("  test.c:%d: expected %s %s\n", line, what, about);
  failures++;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- JSON ---- */

static bool is_object_of_json(const char *text) { return json_is_object(json_of(text, strlen(text))); }

static const char *const OBJECTS[] = {
    "{}",
    " { } \r\n\t",
    "{\"a\":1}",
    "{\"\":null,\"a\":[ ],\"b\":[1 , 2],\"c\":{ \"d\" : true , \"e\" : false } }",
    "{\"a\":-0.5e+10,\"b\":0,\"c\":10E-2,\"d\":1.25}",
    "{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\\ud800\"}",
    "{\"a\":\"\xc3\xa9\x7f\xff\"}",
    "{\"a\":1,\"a\":2}",
};

static const char *const NO_OBJECTS[] = {
    "", " ", "{", "}", "[]", "[{}]", "null", "1", "\"{}\"", "{}{}", "{} x", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
    "{\"a\":1 \"b\":2}", "{,\"a\":1}", "{a:1}", "{'a':1}", "{\"a\":01}", "{\"a\":+1}", "{\"a\":.5}", "{\"a\":1.}",
    "{\"a\":1e}", "{\"a\":-}", "{\"a\":NaN}", "{\"a\":Infinity}", "{\"a\":tru}", "{\"a\":True}", "{\"a\":[1,]}",
    "{\"a\":[,1]}", "{\"a\":[1}", "{\"a\":]}", "{\"a\":\"\n\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12g4\"}",
    "{\"a\":\"\\u12\"}", "{\"a\":\"\\", "{\"a\":\"", "{\"a\":1}//", "{\"a\":/**/1}", "\xef\xbb\xbf{}", "{\"a\":1\v}",
};

static void test_json(void) {
  for (size_t i = 0; i < COUNT(OBJECTS); i++) EXPECT_OF(is_object_of_json(OBJECTS[i]), OBJECTS[i]);
  for (size_t i = 0; i < COUNT(NO_OBJECTS); i++) EXPECT_OF(!is_object_of_json(NO_OBJECTS[i]), NO_OBJECTS[i]);
  EXPECT(!json_is_object(json_of("{\"a\":1\0}", 8)));
  EXPECT(!json_is_object(json_of("{\"a\":\"\\\0\"}", 9)));
}

/** Objects and lists in each other, so many in all. */
static void put_nested(struct text *out, int levels) {
  for (int i = 0; i < levels; i++) text_put(out, i % 2 == 0 ? "{\"a\":" : "[");
  text_put(out, "1");
  for (int i = levels - 1; i >= 0; i--) text_put(out, i % 2 == 0 ? "}" : "]");
}

static void test_depth(void) {
  struct text text;
  memset(&text, 0, sizeof text);
  put_nested(&text, JSON_LEVELS);
  EXPECT(is_object_of_json(text_of(&text)));
  text_clear(&text);
  put_nested(&text, JSON_LEVELS + 1);
  EXPECT(!is_object_of_json(text_of(&text)));
  text_clear(&text);
  for (int i = 0; i < 500000; i++) text_put(&text, "{\"a\":[");
  EXPECT(!is_object_of_json(text_of(&text)));
  text_free(&text);
}

static void test_members(void) {
  static const struct {
    const char *object;
    const char *member; /**< `a`; NULL if it has no such text. */
  } ALL[] = {
      {"{\"a\":\"b\"}", "b"},
      {"{ \"x\" : {\"a\":1} , \"a\" : \"\" }", ""},
      {"{\"\\u0061\":\"b\"}", "b"},
      {"{\"a\":\"b\",\"a\":\"c\"}", "c"},
      {"{\"a\":\"\\ud83d\\ude00 \\\"\\n\"}", "\xf0\x9f\x98\x80 \"\n"},
      {"{\"a\":\"\\ud800\\u0041\\udc00\"}", "\xef\xbf\xbd" "A\xef\xbf\xbd"},
      {"{\"a\":\"b\\u0000c\"}", "b\xef\xbf\xbd" "c"},
      {"{\"a\":\"\xff\xc0\x80\"}", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"{\"a\":1}", NULL},
      {"{\"a\":{\"a\":\"b\"}}", NULL},
      {"{\"aa\":\"b\"}", NULL},
      {"{}", NULL},
  };
  struct text member;
  memset(&member, 0, sizeof member);
  for (size_t i = 0; i < COUNT(ALL); i++) {
    const bool is_found = json_find_string(json_of(ALL[i].object, strlen(ALL[i].object)), "a", &member);
    EXPECT_OF(is_found == (ALL[i].member != NULL), ALL[i].object);
    if (is_found && ALL[i].member != NULL) EXPECT_OF(strcmp(text_of(&member), ALL[i].member) == 0, ALL[i].object);
  }
  text_free(&member);
}

static uint32_t next_random(uint32_t *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 17;
  *seed ^= *seed << 5;
  return *seed;
}

/** Damages objects at random: what is still one loses that with its last brace, and each of its members is a value. */
static void test_damaged_json(void) {
  static const char BYTES[] = "{}[]\",:\\u0123e+-.tfn \n\xf0\x9f\xed\xa0\x80\x00";
  uint32_t seed = 2463534242u;
  int still_right = 0;
  for (int round = 0; round < 50000; round++) {
    const char *from = OBJECTS[next_random(&seed) % COUNT(OBJECTS)];
    /* On the heap and without a NUL, so that one byte too far is seen. */
    const size_t size = strlen(from);
    char *damaged = (char *)malloc(size);
    memcpy(damaged, from, size);
    for (uint32_t hits = 1 + next_random(&seed) % 3; hits > 0; hits--)
      damaged[next_random(&seed) % size] = BYTES[next_random(&seed) % sizeof BYTES];
    struct json object = json_of(damaged, size), name, value;
    if (json_is_object(object)) {
      still_right++;
      const char *brace = damaged + size - 1;
      while (*brace != '}') brace--;
      EXPECT(!json_is_object(json_of(damaged, (size_t)(brace - damaged))));
      while (json_next(&object, &name, &value, JSON_LEVELS) == JSON_MEMBER)
        EXPECT(json_skip_value(&value, JSON_LEVELS) && value.at == value.end);
    }
    free(damaged);
  }
  EXPECT(still_right > 1000);
}

static bool is_utf8(const char *text) {
  const char *end = text + strlen(text);
  while (text < end)
    if (utf8_next(&text, end) == NOT_UTF8) return false;
  return true;
}

/** Any bytes become a text of JSON, and that is read as what it was, but for what was no UTF-8. */
static void test_any_bytes(void) {
  uint32_t seed = 88172645u;
  for (int round = 0; round < 10000; round++) {
    char bytes[24];
    struct text written, read, repaired;
    const size_t size = next_random(&seed) % sizeof bytes;
    for (size_t i = 0; i < size; i++) bytes[i] = (char)(1 + next_random(&seed) % 255);
    bytes[size] = '\0';
    memset(&written, 0, sizeof written);
    memset(&read, 0, sizeof read);
    memset(&repaired, 0, sizeof repaired);
    EXPECT(utf8_put_repaired(&repaired, bytes, bytes + size) == is_utf8(bytes));
    EXPECT(json_put_string(&written, bytes) == is_utf8(bytes));
    EXPECT(is_utf8(text_of(&written)) && is_utf8(text_of(&repaired)));
    struct json in = json_of(text_of(&written), written.size);
    EXPECT(json_take_string(&in, &read) && in.at == in.end);
    EXPECT(strcmp(text_of(&read), text_of(&repaired)) == 0);
    text_free(&written);
    text_free(&read);
    text_free(&repaired);
  }
}

static void test_utf8(void) {
  static const char *const WRONG[] = {
      "\x80",     "\xc0\xaf",         "\xc1\xbf",         "\xc3",             "\xe0\x9f\xbf", "\xed\xa0\x80",
      "\xe2\x82", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff",         "\xe2(\xa1",
  };
  for (size_t i = 0; i < COUNT(WRONG); i++) EXPECT_OF(!is_utf8(WRONG[i]), WRONG[i]);
  EXPECT(is_utf8("a\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf"));
  EXPECT(is_utf8("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"));
}

static void test_printable(void) {
  struct text out;
  memset(&out, 0, sizeof out);
  text_put_printable(&out, "a\x1b[31m\n\xe2\x80\xae\xc2\x85\xff\xc3\xa9");
  EXPECT(strcmp(text_of(&out), "a\\u{1b}[31m\\u{a}\\u{202e}\\u{85}\xef\xbf\xbd\xc3\xa9") == 0);
  text_free(&out);
}

/* ---- Headers and URLs ---- */

static void test_dates(void) {
  static const struct {
    const char *text;
    int64_t seconds;
  } ALL[] = {
      {"Sun, 06 Nov 1994 08:49:37 GMT", 784111777},
      {"Sunday, 06-Nov-94 08:49:37 GMT", 784111777},
      {"Sun Nov  6 08:49:37 1994", 784111777},
      {"Thu, 01 Jan 1970 00:00:00 GMT", 0},
      {"Thu, 29 Feb 2024 23:59:60 GMT", 1709251200},
      {"Wed, 01 Jan 2100 00:00:00 GMT", 4102444800},
      {"", -1},
      {"tomorrow", -1},
      {"Sun, 06 Nov 1994 08:49:37", -1},
      {"Sun, 06 Nov 1994 08:49:37 GMT+1", -1},
      {"Sun, 06 Foo 1994 08:49:37 GMT", -1},
      {"Sun, 06 anF 1994 08:49:37 GMT", -1},
      {"Sun, -6 Nov 1994 08:49:37 GMT", -1},
      {"Sun, 06 Nov 1994 24:00:00 GMT", -1},
      {"Sun, 06 Nov 1994 08:-9:37 GMT", -1},
  };
  for (size_t i = 0; i < COUNT(ALL); i++) EXPECT_OF(date_of(ALL[i].text) == ALL[i].seconds, ALL[i].text);
}

static void test_pauses(void) {
  static const char NOON[] = "Sun, 06 Nov 1994 12:00:00 GMT";
  EXPECT(retry_after_of("7", "") == 7000);
  EXPECT(retry_after_of("0", "") == 0);
  EXPECT(retry_after_of("999999999", "") == LONGEST_RETRY_AFTER_MS);
  EXPECT(retry_after_of("9999999999", "") == 0);
  EXPECT(retry_after_of("-1", "") == 0);
  EXPECT(retry_after_of("1.5", "") == 0);
  EXPECT(retry_after_of("7 s", "") == 0);
  EXPECT(retry_after_of("Sun, 06 Nov 1994 12:00:30 GMT", NOON) == 30000);
  EXPECT(retry_after_of("Sun, 06 Nov 1994 11:59:30 GMT", NOON) == 0);
  EXPECT(retry_after_of("Sun, 06 Nov 2094 12:00:00 GMT", NOON) == LONGEST_RETRY_AFTER_MS);
  EXPECT(retry_after_of(NOON, "no date") == 0);
  EXPECT(interval_of("20") == 20000);
  EXPECT(interval_of("2.5") == 2500);
  EXPECT(interval_of("1") == 1000);
  EXPECT(interval_of("1000000") == 1000000000);
  EXPECT(interval_of("1000001") == 0);
  EXPECT(interval_of("0.9") == 0);
  EXPECT(interval_of("0") == 0);
  EXPECT(interval_of("-5") == 0);
  EXPECT(interval_of("") == 0);
  EXPECT(interval_of("99999999999999999999") == 0);
  EXPECT(interval_of("1e3") == 0);
  EXPECT(interval_of("5.") == 0);
}

static void test_urls(void) {
  static const char *const RIGHT[] = {"http://localhost:53600",      "https://example.com",
                                      "HTTPS://example.com/",        "http://[::1]:80",
                                      "https://example.com/lists/eu", "http://b\xc3\xbc" "cher.example"};
  static const char *const WRONG[] = {"",
                                      "localhost:53600",
                                      "ftp://example.com",
                                      "http:/example.com",
                                      "http://",
                                      "http://:80",
                                      "http:///path",
                                      "http://user@example.com",
                                      "http://user:word@example.com",
                                      "http://example.com:",
                                      "http://example.com:123456",
                                      "http://example.com:65536",
                                      "http://example.com:80x",
                                      "http://example.com?x",
                                      "http://example.com/a#b",
                                      "http://example.com/a b",
                                      "http://example.com/\r\nX: y",
                                      "http://[::1",
                                      "http://[]",
                                      "http://[example]",
                                      "http://exa\\mple.com",
                                      "http://exa\xffmple.com"};
  for (size_t i = 0; i < COUNT(RIGHT); i++) EXPECT_OF(is_service_url(RIGHT[i]), RIGHT[i]);
  for (size_t i = 0; i < COUNT(WRONG); i++) EXPECT_OF(!is_service_url(WRONG[i]), WRONG[i]);
}

/* ---- The rules, over a transport that is a script ---- */

static const char LISTED[] = "{\"status\":\"success\",\"server_id\":\"A\"}";

/** A service, and a game server with its log. */
struct world {
  int started, cancelled, closed;
  bool is_silent;
  int status;
  const char *body;
  const char *beacons; /**< The body of /beacons. */
  bool has_silent_beacons;
  const char *header; /**< One header of the answer, and its value. */
  const char *value;
  struct text url, headers, sent; /**< Of the last request. */
  gsls_request request;
  gsls_answer *answer;
  struct text log;
  int lines;
  uint32_t seed;
  gsls_transport transport;
  gsls_fields fields;
  gsls_options options;
};

static bool world_start(void *context, const gsls_request *request, gsls_answer *answer) {
  struct world *world = (struct world *)context;
  world->started++;
  world->request = *request;
  world->answer = answer;
  text_set(&world->url, request->url);
  text_set(&world->sent, request->body);
  text_clear(&world->headers);
  for (const char *const *line = request->headers; *line != NULL; line++) {
    text_put(&world->headers, *line);
    text_put(&world->headers, "\n");
  }
  return true;
}

static bool world_is_over(void *context) {
  struct world *world = (struct world *)context;
  const bool is_beacon = strncmp(text_of(&world->url), "http://beacon", 13) == 0;
  if (world->is_silent || (is_beacon && world->has_silent_beacons)) return false;
  gsls_answer_status(world->answer, is_beacon ? 204 : world->status);
  if (is_beacon) return true;
  if (world->request.body_size == 0) return gsls_answer_body(world->answer, world->beacons, strlen(world->beacons));
  if (world->header != NULL) gsls_answer_header(world->answer, world->header, world->value);
  gsls_answer_body(world->answer, world->body, strlen(world->body));
  return true;
}

static void world_cancel(void *context) { ((struct world *)context)->cancelled++; }

static void world_close(void *context) { ((struct world *)context)->closed++; }

static void world_log(void *context, const char *line) {
  struct world *world = (struct world *)context;
  text_put(&world->log, line);
  text_put(&world->log, "\n");
  world->lines++;
}

static bool world_random(void *context, unsigned char *bytes, size_t size) {
  struct world *world = (struct world *)context;
  for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)(next_random(&world->seed) >> 8);
  return true;
}

static void open_world(struct world *world) {
  memset(world, 0, sizeof *world);
  world->status = 200;
  world->body = LISTED;
  world->seed = 123456789u;
  world->transport.context = world;
  world->transport.start = world_start;
  world->transport.is_over = world_is_over;
  world->transport.cancel = world_cancel;
  world->transport.close = world_close;
  world->fields.server_host = "eu1.example.com";
  world->fields.server_name = "Frankfurt 1";
  world->fields.server_port = 7777;
  world->fields.max_players = 16;
  world->options.log = world_log;
  world->options.log_context = world;
  world->options.random = world_random;
  world->options.random_context = world;
  world->options.transport = &world->transport;
}

static void close_world(struct world *world) {
  EXPECT(world->closed == 1);
  text_free(&world->url);
  text_free(&world->headers);
  text_free(&world->sent);
  text_free(&world->log);
}

static gsls_announcement *announce_in(struct world *world) {
  return gsls_announce("http://127.0.0.1:1/lists/eu/", &world->fields, &world->options);
}

/** Announces, and lets the broadcast be answered at the time 0. */
static gsls_announcement *list_in(struct world *world) {
  gsls_announcement *a = announce_in(world);
  gsls_update(a, 0);
  gsls_update(a, 0);
  return a;
}

/** Lets the time pass that the game may sleep, so often. */
static void live(gsls_announcement *a, int updates) {
  for (uint64_t now = a->clock_ms; updates > 0; updates--) {
    now += (uint64_t)gsls_next_update_ms(a);
    gsls_update(a, now);
  }
}

static bool has(const struct text *text, const char *part) { return strstr(text_of(text), part) != NULL; }

static void test_requests(void) {
  struct world world;
  open_world(&world);
  world.fields.map = "de_\"dust\"";
  world.fields.password = GSLS_NO;
  world.fields.tags[0] = "ranked";
  world.fields.tags[1] = "eu";
  world.fields.meta_json = "{\"level\":5}";
  world.fields.details_json = "{\"mode\":\"ctf\",\"n\\u0065w\":[1]}";
  world.options.key = "the key";
  gsls_announcement *a = announce_in(&world);
  EXPECT(gsls_get_state(a) == GSLS_STARTING && gsls_next_update_ms(a) == 0);
  gsls_update(a, 0);
  EXPECT(gsls_is_asking(a));
  EXPECT(strcmp(text_of(&world.url), "http://127.0.0.1:1/lists/eu/broadcast") == 0);
  EXPECT_OF(strcmp(text_of(&world.sent),
                   "{\"server_host\":\"eu1.example.com\",\"server_name\":\"Frankfurt 1\",\"server_ip\":\"auto\","
                   "\"map\":\"de_\\\"dust\\\"\",\"server_port\":7777,\"max_players\":16,\"password\":false,"
                   "\"tags\":[\"ranked\",\"eu\"],\"meta\":{\"level\":5},\"mode\":\"ctf\",\"new\":[1],"
                   "\"players\":0}") == 0,
            text_of(&world.sent));
  EXPECT(is_object_of_json(text_of(&world.sent)));
  EXPECT(has(&world.headers, "Content-Type: application/json\nServer-Token: claim\nAuthorization: Bearer the key\n"));
  EXPECT(has(&world.headers, "Idempotency-Key: ") && strlen(a->idempotency_key) == 36 && a->idempotency_key[14] == '4');
  EXPECT(world.request.timeout_ms == 5000 && !world.request.fresh_connection);
  gsls_update(a, 0);
  EXPECT(gsls_get_state(a) == GSLS_LISTED && strcmp(gsls_get_id(a), "A") == 0);
  EXPECT(gsls_set_players(a, 5));
  gsls_update(a, 20000);
  EXPECT(strcmp(text_of(&world.url), "http://127.0.0.1:1/lists/eu/ping") == 0);
  EXPECT(has(&world.sent, "\"players\":5,\"server_id\":\"A\"}"));
  EXPECT(!has(&world.headers, "Idempotency-Key"));
  gsls_stop(a);
  EXPECT(world.cancelled == 1 && world.request.fresh_connection && world.request.timeout_ms == LONGEST_STOP_MS);
  EXPECT(strcmp(text_of(&world.url), "http://127.0.0.1:1/lists/eu/remove") == 0);
  EXPECT(strcmp(text_of(&world.sent), "{\"server_ip\":\"auto\",\"server_id\":\"A\"}") == 0);
  gsls_update(a, 20000);
  EXPECT(gsls_get_state(a) == GSLS_STOPPED && gsls_next_update_ms(a) == -1);
  EXPECT(strcmp(text_of(&world.log), "The game server is listed as A.\n"
                                     "The game server left the list, and the id A is given up.\n") == 0);
  gsls_update(a, 90000);
  EXPECT(world.started == 3);
  gsls_free(a);
  close_world(&world);
}

#define ERROR_OF(code) "{\"status\":\"error\",\"code\":\"" code "\",\"error\":\"words\"}"

/** What each answer to a ping, or to a broadcast with a kept token, asks for. */
static void test_answers(void) {
  static const struct {
    int status;
    const char *body;
    bool is_to_ping;
    bool is_id_kept, is_token_kept;
    int least_ms, most_ms;
  } ALL[] = {
      {200, "{\"status\":\"success\"}", true, true, true, 18000, 22000},
      {200, LISTED, false, true, true, 0, 20000},
      {200, "{\"status\":\"success\"}", false, false, true, 300000, 300000},
      {404, ERROR_OF("unknown_server"), true, false, true, 0, 20000},
      {403, ERROR_OF("ip_mismatch"), true, false, true, 0, 20000},
      {409, ERROR_OF("idempotency_key_used"), false, false, true, 0, 20000},
      {403, ERROR_OF("not_owner"), true, false, false, 0, 20000},
      {403, ERROR_OF("server_token_required"), true, false, false, 0, 20000},
      {400, ERROR_OF("invalid_request"), false, false, false, 0, 20000},
      {400, ERROR_OF("invalid_request"), true, true, true, 300000, 300000},
      {401, ERROR_OF("unauthorized"), true, true, true, 300000, 300000},
      {409, ERROR_OF("address_taken"), true, true, true, 500, 1000},
      {408, ERROR_OF("request_timeout"), true, true, true, 500, 1000},
      {429, ERROR_OF("rate_limited"), true, true, true, 500, 1000},
      {503, ERROR_OF("overloaded"), false, false, true, 500, 1000},
      {302, ERROR_OF("unknown_server"), true, true, true, 500, 1000},
      {404, "<html>unknown_server", true, true, true, 500, 1000},
      {403, "{\"code\":\"not_owner\"}", true, true, true, 500, 1000},
      {0, LISTED, true, true, true, 500, 1000},
  };
  for (size_t i = 0; i < COUNT(ALL); i++) {
    struct world world;
    struct text why;
    char about[120];
    open_world(&world);
    memset(&why, 0, sizeof why);
    snprintf(about, sizeof about, "after %d %s", ALL[i].status, ALL[i].body);
    EXPECT(file_write("test-answers.token", "kept", &why));
    world.options.token_file = "test-answers.token";
    gsls_announcement *a = announce_in(&world);
    if (ALL[i].is_to_ping) {
      gsls_update(a, 0);
      gsls_update(a, 0);
    }
    world.status = ALL[i].status;
    world.body = ALL[i].body;
    gsls_update(a, 20000);
    gsls_update(a, 20000);
    EXPECT_OF((*gsls_get_id(a) != '\0') == ALL[i].is_id_kept, about);
    EXPECT_OF(strcmp(text_of(&a->token), ALL[i].is_token_kept ? "kept" : "claim") == 0, about);
    EXPECT_OF(gsls_next_update_ms(a) >= ALL[i].least_ms && gsls_next_update_ms(a) <= ALL[i].most_ms, about);
    gsls_free(a);
    remove_file("test-answers.token");
    close_world(&world);
  }
}

#define BEACON_OF(id) "{\"id\":\"" id "\",\"url\":\"http://beacon/?x\"}"

/** What each list of beacons comes to. */
static void test_beacons(void) {
  static const struct {
    const char *list;
    const char *latency; /**< NULL: nothing. */
  } ALL[] = {
      {"[" BEACON_OF("fra") "," BEACON_OF("nyc") "]", "\"latency\":{\"fra\":0,\"nyc\":0}"},
      {"[{\"url\":\"\",\"id\":\"a\"},7,\"}\",[],{},null," BEACON_OF("a-1") "]", "\"latency\":{\"a-1\":0}"},
      {"[" BEACON_OF("A") "," BEACON_OF("") "," BEACON_OF("a\\\"b") "," BEACON_OF("seventeen-letters") "]", NULL},
      {"[{\"id\":\"a\",\"url\":\"file:///etc/hostname\"},{\"id\":\"b\",\"url\":\"http://a:b@beacon/\"},"
       "{\"id\":\"c\",\"url\":\"http://beacon/?a b\"},{\"id\":\"d\",\"url\":\"http://beacon/#?\"}]", NULL},
      {"{\"0\":" BEACON_OF("fra") "}", NULL},
      {"\"[]\"", NULL},
      {"[]", NULL},
  };
  for (size_t i = 0; i < COUNT(ALL); i++) {
    struct world world;
    struct text list;
    open_world(&world);
    memset(&list, 0, sizeof list);
    text_put(&list, "{\"status\":\"success\",\"beacons\":");
    text_put(&list, ALL[i].list);
    text_put(&list, "}");
    world.beacons = text_of(&list);
    world.header = "Server-Beacons";
    world.value = "one";
    gsls_announcement *a = list_in(&world);
    live(a, 60);
    EXPECT_OF(ALL[i].latency == NULL ? !has(&world.sent, "latency") : has(&world.sent, ALL[i].latency), ALL[i].list);
    world.value = "";
    live(a, 4);
    EXPECT_OF(!has(&world.sent, "latency"), ALL[i].list);
    gsls_free(a);
    text_free(&list);
    close_world(&world);
  }
}

/** Many beacons, silent ones, and none that is measured. */
static void test_patience_with_beacons(void) {
  struct world world;
  struct text list;
  open_world(&world);
  memset(&list, 0, sizeof list);
  text_put(&list, "{\"status\":\"success\",\"beacons\":[" BEACON_OF("a"));
  for (int i = 0; i < 16000; i++) text_put(&list, "," BEACON_OF("b"));
  text_put(&list, "]}");
  world.beacons = text_of(&list);
  world.header = "Server-Beacons";
  world.value = "one";
  world.has_silent_beacons = true;
  gsls_announcement *a = list_in(&world);
  live(a, 4);
  EXPECT(gsls_is_asking(a) && strcmp(text_of(&world.url), "http://beacon/?x") == 0 && world.headers.size == 0);
  const int before = world.cancelled;
  gsls_update(a, a->clock_ms + 20000);
  gsls_update(a, a->clock_ms);
  EXPECT(world.cancelled == before + 1 && has(&world.url, "/ping"));
  /* Each beacon has its 2 s, and pings come in between. */
  for (int i = 0; i < 200; i++) gsls_update(a, a->clock_ms + 500);
  EXPECT(!gsls_is_asking(a) && a->measuring.beacons == MOST_BEACONS && !has(&world.sent, "latency"));
  world.value = "two";
  live(a, 8);
  EXPECT(gsls_is_asking(a));
  gsls_stop(a);
  EXPECT(has(&world.url, "/remove"));
  gsls_update(a, a->clock_ms);
  EXPECT(gsls_get_state(a) == GSLS_STOPPED && !gsls_is_asking(a));
  gsls_free(a);
  world.options.measure = GSLS_NO;
  a = list_in(&world);
  live(a, 20);
  EXPECT(has(&world.url, "/ping"));
  gsls_free(a);
  text_free(&list);
  world.closed -= 1;
  close_world(&world);
}

struct refusal {
  const char *words;
  void (*spoil)(struct world *world);
};

static char long_text[1100];

static void spoil_host(struct world *w) { w->fields.server_host = NULL; }
static void spoil_name(struct world *w) { w->fields.server_name = ""; }
static void spoil_ip(struct world *w) { w->fields.server_ip = long_text; }
static void spoil_port(struct world *w) { w->fields.server_port = 0; }
static void spoil_port_again(struct world *w) { w->fields.server_port = 70000; }
static void spoil_players(struct world *w) { w->fields.players = -1; }
static void spoil_map(struct world *w) { w->fields.map = long_text; }
static void spoil_flag(struct world *w) { w->fields.password = (gsls_flag)3; }
static void spoil_tags(struct world *w) { w->fields.tags[0] = long_text; }
static void spoil_meta(struct world *w) { w->fields.meta_json = "[1]"; }
static void spoil_meta_again(struct world *w) { w->fields.meta_json = "{\"a\":1,}"; }
static void spoil_details(struct world *w) { w->fields.details_json = "{\"\\u0070layers\":1}"; }
static void spoil_details_again(struct world *w) { w->fields.details_json = "{\"server_port\":1}"; }
static void spoil_details_twice(struct world *w) { w->fields.details_json = "{\"a\":1,\"a\":2}"; }
static void spoil_key(struct world *w) { w->options.key = "a\r\nX: y"; }
static void spoil_timeout(struct world *w) { w->options.timeout_ms = -1; }

static void test_refusals(void) {
  static const struct refusal ALL[] = {
      {"server_host is missing", spoil_host},
      {"server_name is missing", spoil_name},
      {"server_ip has more than 64 bytes", spoil_ip},
      {"server_port must be from 1 to 65535", spoil_port},
      {"server_port must be from 1 to 65535", spoil_port_again},
      {"players must be from 0 to 1000000", spoil_players},
      {"map has more than 256 bytes", spoil_map},
      {"password must be a gsls_flag", spoil_flag},
      {"a tag has more than 128 bytes", spoil_tags},
      {"meta_json is no object of JSON", spoil_meta},
      {"meta_json is no object of JSON", spoil_meta_again},
      {"details_json says players, which is said already", spoil_details},
      {"details_json says server_port, which is said already", spoil_details_again},
      {"details_json says a, which is said already", spoil_details_twice},
      {"the key has characters that no header can have", spoil_key},
      {"timeout_ms must be from 1 to 60000", spoil_timeout},
  };
  memset(long_text, 'x', sizeof long_text - 1);
  for (size_t i = 0; i < COUNT(ALL); i++) {
    struct world world;
    open_world(&world);
    ALL[i].spoil(&world);
    EXPECT_OF(announce_in(&world) == NULL, ALL[i].words);
    EXPECT_OF(has(&world.log, ALL[i].words) && world.lines == 1, text_of(&world.log));
    close_world(&world);
  }
}

static void test_refused_fields(void) {
  struct world world;
  open_world(&world);
  gsls_announcement *a = list_in(&world);
  gsls_fields wrong = world.fields;
  wrong.server_port = 0;
  wrong.players = 9;
  for (int i = 0; i < 100; i++) EXPECT(!gsls_set_fields(a, &wrong) && !gsls_set_players(a, -1));
  EXPECT(!gsls_set_fields(a, NULL));
  gsls_update(a, 20000);
  EXPECT(has(&world.sent, "\"server_port\":7777,") && has(&world.sent, "\"players\":0,"));
  wrong = world.fields;
  wrong.server_name = "Caf\xe9";
  wrong.map = "\xff";
  world.lines = 0;
  for (int i = 0; i < 100; i++) EXPECT(gsls_set_fields(a, &wrong));
  EXPECT(world.lines == 1);
  gsls_update(a, 20000);
  gsls_update(a, 50000);
  EXPECT(has(&world.sent, "\"server_name\":\"Caf?\"") && has(&world.sent, "\"map\":\"?\""));
  gsls_free(a);
  close_world(&world);
}

static void test_no_announcement(void) {
  gsls_update(NULL, 1);
  gsls_stop(NULL);
  gsls_stop_and_wait(NULL, 2000);
  gsls_free(NULL);
  EXPECT(!gsls_set_fields(NULL, NULL) && !gsls_set_players(NULL, 1) && !gsls_is_asking(NULL));
  EXPECT(gsls_next_update_ms(NULL) == -1 && gsls_get_state(NULL) == GSLS_STOPPED);
  EXPECT(*gsls_get_id(NULL) == '\0' && *gsls_get_problem(NULL) == '\0');
  EXPECT(*gsls_get_verification(NULL) == '\0' && *gsls_get_join_code(NULL) == '\0');
}

/** How many requests a game makes in so many turns of 16 ms; `shown` is what the clock shows at a time. */
static int play(uint64_t (*shown)(int turn), int turns) {
  struct world world;
  open_world(&world);
  gsls_announcement *a = announce_in(&world);
  for (int turn = 0; turn < turns; turn++) gsls_update(a, shown(turn));
  gsls_free(a);
  close_world(&world);
  return world.started;
}

#define A_DAY UINT64_C(86400000)
static uint64_t steady(int turn) { return A_DAY + (uint64_t)turn * 16; }
static uint64_t set_back(int turn) { return steady(turn) - (turn > 6000 ? A_DAY / 2 : 0); }
static uint64_t from_zero_again(int turn) {
  return turn > 6000 ? steady(turn - 6001) - A_DAY : UINT64_MAX - steady(6000 - turn) + A_DAY;
}
static uint64_t two_clocks(int turn) { return steady(turn) - (turn % 2 == 0 ? A_DAY / 2 : 0); }
static uint64_t trembling(int turn) { return steady(turn) - (turn % 2 == 0 ? 400 : 0); }
static uint64_t ahead(int turn) { return steady(turn) + (turn > 6000 ? 10 * A_DAY : 0); }
static uint64_t stopped(int turn) { return steady(turn > 6000 ? 6000 : turn); }

static void test_clocks(void) {
  uint64_t (*const CLOCKS[])(int) = {steady, set_back, from_zero_again, two_clocks, trembling};
  static const char *const NAMES[] = {"steady", "set back", "from zero again", "two in turns", "trembling"};
  /* 200 s: a broadcast, and a ping each 20 s, the first of them up to 20 s sooner. */
  for (size_t i = 0; i < COUNT(CLOCKS); i++) {
    const int requests = play(CLOCKS[i], 12500);
    EXPECT_OF(requests >= 10 && requests <= 12, NAMES[i]);
  }
  const int once_more = play(ahead, 12500);
  EXPECT(once_more >= 10 && once_more <= 13);
  EXPECT(play(stopped, 12500) <= 7);
}

/** A loop that has nothing else to do sleeps for as long as it may, and its clock is set back meanwhile. */
static void test_clock_of_an_idle_loop(void) {
  struct world world;
  open_world(&world);
  gsls_announcement *a = list_in(&world);
  uint64_t now = A_DAY, passed_ms = 0;
  gsls_update(a, now);
  for (int turn = 0; passed_ms < 400000; turn++) {
    const int pause_ms = gsls_next_update_ms(a);
    passed_ms += (uint64_t)pause_ms;
    now += (uint64_t)pause_ms;
    if (turn == 20) now -= A_DAY / 2;
    gsls_update(a, now);
  }
  /* A broadcast, a ping at once, and one in 20 s. */
  EXPECT(world.started >= 19 && world.started <= 24);
  gsls_free(a);
  close_world(&world);
}

static void test_silence(void) {
  struct world world;
  open_world(&world);
  world.is_silent = true;
  gsls_announcement *a = announce_in(&world);
  gsls_update(a, 0);
  gsls_update(a, 1);
  gsls_update(a, 5000);
  EXPECT(gsls_is_asking(a) && gsls_next_update_ms(a) > 0 && gsls_next_update_ms(a) <= 50);
  gsls_update(a, 5001);
  EXPECT(!gsls_is_asking(a) && world.cancelled == 1 && gsls_get_state(a) == GSLS_FAILING);
  EXPECT(strcmp(gsls_get_problem(a), "The service did not answer: nothing came within 5 s.") == 0);
  EXPECT(gsls_next_update_ms(a) >= 500 && gsls_next_update_ms(a) <= 1000);
  gsls_update(a, 6001);
  EXPECT(world.request.fresh_connection);
  gsls_free(a);
  EXPECT(world.cancelled == 2);
  close_world(&world);
}

/** An idle loop has slept since the last update: that is no part of the two seconds. */
static void test_stop_after_a_sleep(void) {
  struct world world;
  open_world(&world);
  gsls_announcement *a = list_in(&world);
  world.is_silent = true;
  gsls_stop(a);
  gsls_stop(a);
  gsls_update(a, 15000);
  EXPECT(gsls_get_state(a) != GSLS_STOPPED && world.started == 2);
  gsls_update(a, 16799);
  EXPECT(gsls_get_state(a) != GSLS_STOPPED);
  gsls_update(a, 16800);
  EXPECT(gsls_get_state(a) == GSLS_STOPPED && *gsls_get_id(a) == '\0');
  EXPECT(has(&world.log, "The service did not answer: nothing came within 1.8 s. The entry "));
  gsls_free(a);
  close_world(&world);
}

static void test_stop_and_wait(void) {
  struct world world;
  open_world(&world);
  gsls_announcement *a = list_in(&world);
  world.is_silent = true;
  const uint64_t from_ms = system_now_ms();
  gsls_stop_and_wait(a, 100);
  EXPECT(gsls_get_state(a) == GSLS_STOPPED && world.cancelled == 1);
  EXPECT(system_now_ms() - from_ms >= 100 && system_now_ms() - from_ms < 2000);
  gsls_free(a);
  close_world(&world);
  open_world(&world);
  a = list_in(&world);
  gsls_stop_and_wait(a, 0);
  EXPECT(gsls_get_state(a) == GSLS_STOPPED && has(&world.log, "The game server left the list, "));
  gsls_free(a);
  close_world(&world);
}

static void test_a_large_answer(void) {
  struct world world;
  open_world(&world);
  world.is_silent = true;
  gsls_announcement *a = announce_in(&world);
  gsls_update(a, 0);
  char *part = (char *)malloc(MOST_BODY_BYTES);
  memset(part, ' ', MOST_BODY_BYTES);
  EXPECT(gsls_answer_body(world.answer, part, MOST_BODY_BYTES));
  EXPECT(!gsls_answer_body(world.answer, part, 1));
  EXPECT(!gsls_answer_body(world.answer, part, 0));
  free(part);
  world.is_silent = false;
  gsls_update(a, 0);
  EXPECT(strcmp(gsls_get_problem(a), "The service did not answer: the answer has more than 1 MiB.") == 0);
  gsls_free(a);
  close_world(&world);
}

/** A service that says the secrets of a request in everything that is logged. */
static void test_secrets(void) {
  static const char *const HEADERS_TOLD[] = {"Server-Verification", "Server-Join-Code", "Location"};
  for (size_t i = 0; i < COUNT(HEADERS_TOLD); i++) {
    struct world world;
    struct text told, error;
    open_world(&world);
    memset(&told, 0, sizeof told);
    memset(&error, 0, sizeof error);
    world.options.key = "SECRET-key";
    world.header = "server-TOKEN";
    world.value = " SECRET-token ";
    gsls_announcement *a = list_in(&world);
    gsls_update(a, 20000);
    EXPECT(has(&world.headers, "Server-Token: SECRET-token\n"));
    text_put(&told, "x SECRET-token \x1b SECRET-keySECRET-token");
    text_put(&error, "{\"status\":\"error\",\"code\":\"not_owner\",\"error\":\"SECRET-\\u0074oken \\n SECRET-key\"}");
    world.header = HEADERS_TOLD[i];
    world.value = text_of(&told);
    world.status = i == 2 ? 302 : 403;
    world.body = text_of(&error);
    gsls_update(a, 20000);
    EXPECT(gsls_get_state(a) == GSLS_FAILING && *gsls_get_problem(a) != '\0');
    EXPECT(!has(&world.log, "SECRET"));
    EXPECT(strstr(gsls_get_problem(a), "SECRET") == NULL && strstr(gsls_get_verification(a), "SECRET") == NULL);
    for (const char *at = text_of(&world.log); *at != '\0'; at++) EXPECT((unsigned char)*at >= ' ' || *at == '\n');
    gsls_free(a);
    text_free(&told);
    text_free(&error);
    close_world(&world);
  }
}

static const char TOKEN_FILE[] = "test-\xc3\xa9.token";

/** What the file holds, or what is wrong with it. */
static bool holds(const char *path, const char *wanted) {
  struct text read, why;
  memset(&read, 0, sizeof read);
  memset(&why, 0, sizeof why);
  const bool is_held = file_read(path, &read, &why) && strcmp(text_of(&read), wanted) == 0 && why.size == 0;
  text_free(&read);
  text_free(&why);
  return is_held;
}

static void test_token_file(void) {
  static const char *const DAMAGED[] = {"two\nlines", "caf\xc3\xa9", "\x1b[31m"};
  struct world world;
  struct text why;
  memset(&why, 0, sizeof why);
  open_world(&world);
  world.options.token_file = TOKEN_FILE;
  world.header = "Server-Token";
  world.value = "the first token";
  EXPECT(holds(TOKEN_FILE, ""));
  gsls_free(list_in(&world));
  EXPECT(holds(TOKEN_FILE, "the first token"));
  world.closed = 0;
  world.value = "second";
  gsls_free(list_in(&world));
  EXPECT(has(&world.headers, "Server-Token: the first token\n") && holds(TOKEN_FILE, "second"));
#ifndef _WIN32
  struct stat about;
  EXPECT(stat(TOKEN_FILE, &about) == 0 && (about.st_mode & 0777) == 0600);
#endif
  EXPECT(file_write(TOKEN_FILE, " \r\nthird\t\n", &why));
  world.closed = 0;
  world.value = "third";
  gsls_free(list_in(&world));
  EXPECT(has(&world.headers, "Server-Token: third\n") && holds(TOKEN_FILE, " \r\nthird\t\n"));
  for (size_t i = 0; i < COUNT(DAMAGED); i++) {
    text_clear(&world.log);
    world.closed = 0;
    EXPECT(file_write(TOKEN_FILE, DAMAGED[i], &why));
    gsls_free(announce_in(&world));
    EXPECT_OF(has(&world.log, "The token file test-\xc3\xa9.token holds no token. The broadcast claims a new id.\n"),
              text_of(&world.log));
  }
  remove_file(TOKEN_FILE);
  world.options.token_file = "no-folder/token";
  text_clear(&world.log);
  world.closed = 0;
  gsls_announcement *a = list_in(&world);
  EXPECT_OF(has(&world.log, "The token file no-folder/token cannot be written: "), text_of(&world.log));
  EXPECT(gsls_get_state(a) == GSLS_LISTED);
  gsls_free(a);
  world.options.token_file = ".";
  text_clear(&world.log);
  world.closed = 0;
  gsls_free(announce_in(&world));
  EXPECT_OF(has(&world.log, "The token file . cannot be read: it is no file. "), text_of(&world.log));
  text_free(&why);
  close_world(&world);
}

static void test_kept_id(void) {
  struct world world;
  struct text why;
  memset(&why, 0, sizeof why);
  EXPECT(file_write(TOKEN_FILE, "kept", &why));
  for (int is_for_good = 0; is_for_good < 2; is_for_good++) {
    open_world(&world);
    world.options.token_file = TOKEN_FILE;
    gsls_announcement *a = list_in(&world);
    if (is_for_good) gsls_stop_for_good(a);
    gsls_stop_and_wait(a, 2000);
    EXPECT(has(&world.sent, "{\"server_ip\":\"auto\",") && has(&world.sent, "\"server_id\":\"A\"}"));
    EXPECT(has(&world.sent, "\"keep_id\":true") == (is_for_good == 0));
    EXPECT(has(&world.log, is_for_good ? "The game server left the list, and the id A is given up.\n"
                                       : "The game server left the list, and its token keeps the id A.\n"));
    EXPECT(holds(TOKEN_FILE, "kept"));
    gsls_free(a);
    close_world(&world);
  }
  remove_file(TOKEN_FILE);
  text_free(&why);
}

/** What is told after each answer to a ping; an empty text is nothing. The next answer lists the game server again. */
static void test_lines(void) {
  static const struct {
    int status;
    const char *body;
    const char *line;
    const char *after;
  } ALL[] = {
      {200, LISTED, "", ""},
      {503, "<html>", "The answer is none of GSLS (503). The next ping is in 1 s.\n",
       "The game server is listed again as A.\n"},
      {401, ERROR_OF("unauthorized"), "The service refused the ping (401): words. The next ping is in 300 s.\n",
       "The game server is listed again as A.\n"},
      {404, ERROR_OF("unknown_server"), "The service does not know the id A any more. A new broadcast follows in ",
       "The game server is listed again as A.\n"},
      {403, ERROR_OF("not_owner"), "The service refused the ping (403): words. A new broadcast follows in ",
       "The game server is listed again as A.\n"},
      {200, "{\"status\":\"success\",\"server_id\":7}", "", ""},
  };
  for (size_t i = 0; i < COUNT(ALL); i++) {
    struct world world;
    open_world(&world);
    gsls_announcement *a = list_in(&world);
    text_clear(&world.log);
    world.status = ALL[i].status;
    world.body = ALL[i].body;
    gsls_update(a, 20000);
    gsls_update(a, 20000);
    EXPECT_OF(has(&world.log, ALL[i].line), text_of(&world.log));
    EXPECT_OF((world.log.size == 0) == (ALL[i].line[0] == '\0'), ALL[i].body);
    text_clear(&world.log);
    world.status = 200;
    world.body = LISTED;
    gsls_update(a, 400000);
    gsls_update(a, 400000);
    EXPECT_OF(strcmp(text_of(&world.log), ALL[i].after) == 0, text_of(&world.log));
    gsls_free(a);
    close_world(&world);
  }
}

/** Each allocation of a life fails once: the game goes on, and nothing is lost or used after it. */
static void test_no_memory(void) {
  bool is_through = false;
  for (int left = 0; !is_through; left++) {
    struct world world;
    open_world(&world);
    world.fields.meta_json = "{\"a\":1}";
    world.fields.details_json = "{\"b\":1,\"c\":[]}";
    world.header = "Server-Token";
    world.value = "a token";
    allocations_left = left;
    gsls_announcement *a = list_in(&world);
    world.beacons = "{\"status\":\"success\",\"beacons\":[" BEACON_OF("a") "]}";
    world.header = "Server-Beacons";
    gsls_update(a, 20000);
    gsls_update(a, 20000);
    if (a != NULL && a->measuring.due_ms < a->due_ms) gsls_update(a, 20000 + a->measuring.due_ms);
    for (int i = 0; i < 20; i++) gsls_update(a, 36000);
    gsls_update(a, 40000);
    gsls_update(a, 40000);
    world.status = 503;
    world.body = "{\"status\":\"error\",\"code\":\"registry_unavailable\",\"error\":\"no\"}";
    gsls_update(a, 80000);
    gsls_update(a, 80000);
    gsls_stop(a);
    gsls_update(a, 80000);
    is_through = allocations_left > 0;
    allocations_left = -1;
    gsls_free(a);
    close_world(&world);
  }
}

/** Answers at random, for a long time: never more requests than the shortest pauses allow. */
static void test_a_long_life(void) {
  static const char *const BODIES[] = {
      LISTED,
      "{\"status\":\"success\"}",
      "{\"status\":\"error\",\"code\":\"unknown_server\",\"error\":\"gone\"}",
      "{\"status\":\"error\",\"code\":\"not_owner\",\"error\":\"no\"}",
      "{\"status\":\"error\",\"code\":\"invalid_request\",\"error\":\"wrong\"}",
      "{\"status\":7,\"code\":{},\"error\":[],\"server_id\":3}",
      "<html>",
      "",
  };
  static const int STATUSES[] = {200, 200, 200, 400, 403, 404, 429, 503, 0, 302};
  static const char *const VALUES[] = {"1", "20", "-1", "x", "", "1000000", "99999999999", "3.5"};
  struct world world;
  open_world(&world);
  world.header = "Server-Ping-Interval";
  world.value = "20";
  gsls_announcement *a = announce_in(&world);
  uint64_t now = 0;
  for (int round = 0; round < 20000; round++) {
    world.status = STATUSES[next_random(&world.seed) % COUNT(STATUSES)];
    world.body = BODIES[next_random(&world.seed) % COUNT(BODIES)];
    world.header = next_random(&world.seed) % 4 == 0 ? "Server-Ping-Interval" : "Retry-After";
    world.value = VALUES[next_random(&world.seed) % COUNT(VALUES)];
    world.is_silent = next_random(&world.seed) % 16 == 0;
    gsls_update(a, now);
    EXPECT(gsls_next_update_ms(a) >= 0);
    EXPECT((gsls_get_state(a) == GSLS_FAILING) == (*gsls_get_problem(a) != '\0'));
    now += (uint64_t)gsls_next_update_ms(a);
  }
  EXPECT(world.started > 1000 && now > A_DAY);
  gsls_free(a);
  close_world(&world);
}

int main(void) {
  static const struct {
    const char *sentence;
    void (*run)(void);
  } TESTS[] = {
      {"JSON is strict", test_json},
      {"JSON has a bottom", test_depth},
      {"members of JSON are found and decoded", test_members},
      {"damaged JSON does no harm", test_damaged_json},
      {"any bytes become JSON, and come back", test_any_bytes},
      {"UTF-8 is strict", test_utf8},
      {"what is logged is printable", test_printable},
      {"a date has three forms", test_dates},
      {"pauses are bounded", test_pauses},
      {"a URL that cannot be right is known", test_urls},
      {"requests are those of the API", test_requests},
      {"each answer asks for what the rules say", test_answers},
      {"beacons are those of the list that are right", test_beacons},
      {"beacons that are silent hold up nothing", test_patience_with_beacons},
      {"what cannot be right is refused with words", test_refusals},
      {"refused fields change nothing, and are logged once", test_refused_fields},
      {"no announcement does nothing", test_no_announcement},
      {"a clock that jumps makes neither flood nor silence", test_clocks},
      {"a clock that is set back in a long sleep costs one interval", test_clock_of_an_idle_loop},
      {"a transport that is silent is cancelled", test_silence},
      {"a stop has its two seconds from the first look on", test_stop_after_a_sleep},
      {"a stop that waits has an end", test_stop_and_wait},
      {"a large answer is given up", test_a_large_answer},
      {"no line has a secret or a control character", test_secrets},
      {"the token outlives the game server in its file", test_token_file},
      {"a stop keeps the id in the file, unless it is for good", test_kept_id},
      {"lines are those of all clients", test_lines},
      {"memory may end at any time", test_no_memory},
      {"answers at random do no harm", test_a_long_life},
  };
  for (size_t i = 0; i < COUNT(TESTS); i++) {
    const int before = failures;
    TESTS[i].run();
    printf("%s - %s\n", failures == before ? "ok" : "not ok", TESTS[i].sentence);
    fflush(stdout);
  }
  return failures == 0 ? 0 : 1;
}
