/*
 * The program of this client for the conformance kit: see docs/write-a-client.md. For POSIX.
 *
 *   cc -o conformance conformance.c -lcurl && gsls conformance -- ./conformance
 */
#include "gsls.c" /* As one file, for its JSON. */

#include <poll.h>
#include <signal.h>

/** Of a line that the kit says. */
#define MOST_LINE_BYTES 65536

struct program {
  gsls_announcement *announcement;
  bool is_driven; /**< Whether the kit drives the clock. */
  uint64_t now_ms;
  bool has_said_waits; /**< Since it was woken. */
  bool is_stopping;
};

static volatile sig_atomic_t is_ending = 0;

static void end(int number) {
  (void)number;
  is_ending = 1;
}

static void say(const char *line) {
  puts(line);
  fflush(stdout);
}

static void say_log(void *context, const char *text) {
  struct text line;
  (void)context;
  memset(&line, 0, sizeof line);
  text_put(&line, "{\"log\":");
  json_put_string(&line, text);
  text_put(&line, "}");
  say(text_of(&line));
  text_free(&line);
}

static int64_t number_of(struct json object, const char *name, int64_t otherwise) {
  struct json value;
  return json_find(object, name, &value) ? (int64_t)strtod(value.at, NULL) : otherwise;
}

/** The text of this name, and NULL if there is none. */
static const char *string_of(struct json object, const char *name, struct text *out) {
  return json_find_string(object, name, out) ? text_of(out) : NULL;
}

/** The required fields go where they have their place, all others are sent as they are. */
static gsls_announcement *announce(struct json start) {
  static const char *const TYPED[] = {"server_host", "server_name", "server_ip",
                                      "server_port", "players",     "max_players"};
  struct text texts[6], details;
  struct json fields_json, name, value;
  gsls_fields fields;
  gsls_options options;
  memset(texts, 0, sizeof texts);
  memset(&details, 0, sizeof details);
  memset(&fields, 0, sizeof fields);
  memset(&options, 0, sizeof options);

  if (!json_find(start, "fields", &fields_json)) fields_json = json_of("{}", 2);
  fields.server_host = string_of(fields_json, "server_host", &texts[0]);
  fields.server_name = string_of(fields_json, "server_name", &texts[1]);
  fields.server_ip = string_of(fields_json, "server_ip", &texts[2]);
  fields.server_port = (int)number_of(fields_json, "server_port", 0);
  fields.players = (int)number_of(fields_json, "players", 0);
  fields.max_players = (int)number_of(fields_json, "max_players", 0);
  text_put(&details, "{");
  while (json_next(&fields_json, &name, &value, JSON_LEVELS) == JSON_MEMBER) {
    bool is_typed = false;
    for (size_t i = 0; i < sizeof TYPED / sizeof *TYPED; i++)
      is_typed = is_typed || (strlen(TYPED[i]) == (size_t)(name.end - name.at) - 2 &&
                              memcmp(TYPED[i], name.at + 1, strlen(TYPED[i])) == 0);
    if (is_typed) continue;
    text_put(&details, details.size > 1 ? "," : "");
    text_add(&details, name.at, (size_t)(value.end - name.at));
  }
  text_put(&details, "}");
  fields.details_json = text_of(&details);

  options.key = string_of(start, "key", &texts[3]);
  options.token_file = string_of(start, "token_file", &texts[4]);
  options.timeout_ms = (int)number_of(start, "timeout_ms", 0);
  options.insecure = json_find(start, "insecure", &value) && *value.at == 't';
  options.log = say_log;
  gsls_announcement *announcement = gsls_announce(string_of(start, "url", &texts[5]), &fields, &options);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) text_free(&texts[i]);
  text_free(&details);
  return announcement;
}

static void obey(struct program *program, const char *data, size_t size) {
  const struct json line = json_of(data, size);
  struct json value;
  if (!json_is_object(line)) return;
  if (json_find(line, "start", &value)) {
    const int64_t now = number_of(value, "now", -1);
    gsls_free(program->announcement);
    program->announcement = announce(value);
    program->is_driven = now >= 0;
    program->now_ms = now >= 0 ? (uint64_t)now : 0;
    program->is_stopping = false;
  }
  if (json_find(line, "now", &value)) program->now_ms = (uint64_t)strtod(value.at, NULL);
  if (json_find(line, "players", &value)) {
    gsls_set_players(program->announcement, (int)strtod(value.at, NULL));
    say("{\"did\":\"players\"}");
  }
  if (json_find(line, "stop", &value)) {
    struct json keep_id;
    if (*value.at == '{' && json_find(value, "keep_id", &keep_id) && *keep_id.at == 'f')
      gsls_stop_for_good(program->announcement);
    else
      gsls_stop(program->announcement);
    program->is_stopping = true;
  }
  program->has_said_waits = false;
}

/** Reads what the kit says, for so long at most. False at the end of the input. */
static bool hear(struct program *program, int most_ms) {
  static char line[MOST_LINE_BYTES];
  static size_t size = 0;
  struct pollfd input;
  input.fd = STDIN_FILENO;
  input.events = POLLIN;
  /* A signal that comes just before is seen soon. */
  if (poll(&input, 1, most_ms < 0 || most_ms > 50 ? 50 : most_ms) <= 0) return true;
  const ssize_t got = read(STDIN_FILENO, line + size, sizeof line - size);
  if (got <= 0) return false;
  size += (size_t)got;
  for (char *end; (end = (char *)memchr(line, '\n', size)) != NULL;) {
    const size_t used = (size_t)(end - line) + 1;
    obey(program, line, used);
    size -= used;
    memmove(line, end + 1, size);
  }
  return size < sizeof line;
}

/** What a game does in each turn of its loop. How long to sleep after it. */
static int take_a_turn(struct program *program) {
  gsls_announcement *announcement = program->announcement;
  char line[96];
  gsls_update(announcement, program->is_driven ? program->now_ms : system_now_ms());
  const int pause_ms = gsls_next_update_ms(announcement);
  if (gsls_get_state(announcement) == GSLS_STOPPED) {
    if (program->is_stopping) say("{\"stopped\":true}");
    program->is_stopping = false;
    return -1;
  }
  if (gsls_is_asking(announcement)) return 1;
  if (!program->is_driven || pause_ms == 0) return pause_ms;
  if (!program->has_said_waits) {
    snprintf(line, sizeof line, "{\"waits\":%llu,\"at\":%llu}", (unsigned long long)program->now_ms + pause_ms,
             (unsigned long long)program->now_ms);
    say(line);
    program->has_said_waits = true;
  }
  return -1;
}

int main(void) {
  struct program program;
  memset(&program, 0, sizeof program);
  say("{\"ready\":{\"name\":\"gsls for C\","
      "\"can\":[\"announce\",\"key\",\"token_file\",\"tls\",\"insecure\",\"ipv6\",\"sigterm\",\"latency\"]}}");
  signal(SIGTERM, end);
  while (!is_ending && hear(&program, take_a_turn(&program))) continue;
  if (is_ending) gsls_stop_and_wait(program.announcement, 2000);
  gsls_free(program.announcement);
  return 0;
}
