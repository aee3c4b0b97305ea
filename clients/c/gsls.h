/*
 * gsls 1.0.0: keeps a game server listed in GSLS, the Game Server Listing Service. MIT, see LICENSE.
 *
 * Two files, gsls.h and gsls.c, in C99 that is C++11 too, over libcurl or a transport of your own. There is no thread:
 * call gsls_update() from the loop of the game. It never blocks.
 *
 * One announcement is used by one thread at a time, and not in its own log. Every function takes NULL as an
 * announcement and then does nothing, so a game may go on after gsls_announce() refused. Texts are UTF-8, and copied.
 */
#ifndef GSLS_H
#define GSLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GSLS_VERSION "1.0.0"

/* ---- What the game server says ---- */

/** The most tags that an entry has. */
#define GSLS_MOST_TAGS 16

/** A field that is true or false, or not said at all. */
typedef enum gsls_flag { GSLS_UNSAID, GSLS_NO, GSLS_YES } gsls_flag;

/**
 * The fields of an entry, as docs/api.md has them. Begin with zeros: `gsls_fields fields = {0};`, in C++ `= {}`. What
 * stays zero is not said. The limits are in bytes; the service counts characters, and judges the rest. Bytes that are
 * no UTF-8 become `?`.
 */
typedef struct gsls_fields {
  const char *server_host; /**< Required: the host name. Up to 1012. */
  const char *server_name; /**< Required: the name that players see. Up to 512. */
  const char *server_ip;   /**< NULL is `auto`, the address that the requests come from. Up to 64. */
  int server_port;         /**< Required: 1 to 65535. */
  int players;             /**< 0 to 1,000,000, and more than `max_players` if it is so. */
  int max_players;         /**< 0 to 1,000,000. */
  const char *map;         /**< Up to 256, like `mode` and `version`. */
  const char *mode;
  const char *version;
  const char *region; /**< Up to 128. */
  gsls_flag password; /**< Whether players need one. */
  gsls_flag unlisted; /**< Whether the join code alone finds the entry. */
  const char *tags[GSLS_MOST_TAGS]; /**< Each up to 128. A NULL ends them. */
  const char *meta_json;            /**< An object of JSON, such as `{"level":5}`. Up to 8192, 64 levels deep. */
  /** An object of JSON, the members of which are sent as further fields, such as `{"addresses":[…]}`: for what has no
   * place above. None may be said twice. Up to 16384, 64 levels deep. */
  const char *details_json;
} gsls_fields;

/* ---- A transport of your own ---- */

/**
 * One request: a POST or, without a body, a GET. It and all it points to stay as they are until the transport says that
 * it is over, or is cancelled.
 */
typedef struct gsls_request {
  const char *url;
  const char *const *headers; /**< Lines as in `Server-Token: claim`, ended by a NULL. They hold credentials. */
  const char *body;           /**< JSON, ended by a NUL. */
  size_t body_size;           /**< 0: it is a GET. */
  int timeout_ms;        /**< For all of it. The client cancels what lasts longer by the clock of the game. */
  bool fresh_connection; /**< Whether an open connection should not be used. */
  bool insecure;         /**< Whether any certificate will do. */
} gsls_request;

/** Where a transport puts what comes. */
typedef struct gsls_answer gsls_answer;

/** The status, such as 200. An answer without one is none. */
void gsls_answer_status(gsls_answer *answer, int status);
/** One header. What is of no use is ignored, in whatever case its name is. */
void gsls_answer_header(gsls_answer *answer, const char *name, const char *value);
/** More of the body. False once it has more than it may have, 1 MiB or less: the rest need not be read. */
bool gsls_answer_body(gsls_answer *answer, const void *data, size_t size);
/** Why there is no answer, for a person. */
void gsls_answer_failure(gsls_answer *answer, const char *reason);

/**
 * Carries requests, one at a time. No function may block, but for `wait`. It follows no redirects, takes no cookies,
 * and refuses a certificate that is not valid unless the request is `insecure`.
 */
typedef struct gsls_transport {
  void *context; /**< Given to each function. */
  /** Begins the request. False if it cannot: then gsls_answer_failure() says why, and it is over. */
  bool (*start)(void *context, const gsls_request *request, gsls_answer *answer);
  /** Goes on with it. True once it is over: `answer` is touched no more. */
  bool (*is_over)(void *context);
  /** Gives it up. `answer` is touched no more. */
  void (*cancel)(void *context);
  /** Blocks until something comes, for so long at most. For gsls_stop_and_wait() alone; NULL: it sleeps instead. */
  void (*wait)(void *context, int most_ms);
  /** Frees the context; NULL: nothing to free. Called by gsls_free(), or by gsls_announce() if it refuses. */
  void (*close)(void *context);
} gsls_transport;

/* ---- Announce ---- */

/** Is told a line of text without its end. No line has a token or a key, and all of it is printable. */
typedef void (*gsls_log)(void *context, const char *line);

/** Fills all of these bytes, as hard to guess as a key must be. False if it cannot. */
typedef bool (*gsls_random)(void *context, unsigned char *bytes, size_t size);

/** All is optional. Begin with zeros: `gsls_options options = {0};`, in C++ `= {}`. */
typedef struct gsls_options {
  const char *key;        /**< Of the service, where it asks for one. Up to 1024 bytes. */
  const char *token_file; /**< Where the server token outlives the game server. Each game server has its own. */
  int timeout_ms;         /**< Of one request. 0: 5000. From 1 to 60,000. */
  bool insecure;          /**< Takes any certificate: for a test at home. */
  gsls_log log;           /**< Called in the functions below. NULL: lines go to the standard error. */
  void *log_context;
  gsls_random random; /**< For tests. NULL: the one of the system. */
  void *random_context;
  const gsls_transport *transport; /**< Copied. NULL: libcurl; required with GSLS_NO_CURL. */
  /** GSLS_NO: does not measure how far the beacons of the service are, by which players find what is near. What it
   * measures is off by up to half the time between two gsls_update(). */
  gsls_flag measure;
} gsls_options;

typedef struct gsls_announcement gsls_announcement;

typedef enum gsls_state {
  GSLS_STARTING, /**< No broadcast has been answered. */
  GSLS_LISTED,   /**< The service has the entry. */
  GSLS_FAILING,  /**< Something is wrong: see gsls_get_problem(). It goes on. */
  GSLS_STOPPED   /**< Nothing is sent any more. */
} gsls_state;

/**
 * Begins to keep a game server listed; the first gsls_update() sends the broadcast. `url` is that of the service, such
 * as `https://example.com/lists/eu`. `options` may be NULL. To be freed by gsls_free(). NULL if a URL, a key, a field
 * or an option cannot be right: the log says which. It reads the token file, and calls curl_global_init(): before
 * libcurl 7.84 no other thread may use libcurl meanwhile.
 */
gsls_announcement *gsls_announce(const char *url, const gsls_fields *fields, const gsls_options *options);

/**
 * Does what is due, and returns at once. `now_ms` are ms of any clock that nobody sets, from any time on. A clock that
 * jumps does no harm: ahead, what is overdue is done once; back, it goes on from there.
 */
void gsls_update(gsls_announcement *announcement, uint64_t now_ms);

/**
 * How many ms after the last gsls_update() the next one is of use: a loop that is idle may sleep for so long. A few
 * while a request is under way, and -1 when it is stopped: as the timeout of poll() is.
 */
int gsls_next_update_ms(const gsls_announcement *announcement);

/** Whether a request is under way, or more of them follow at once. */
bool gsls_is_asking(const gsls_announcement *announcement);

/** Takes over these fields: the next ping tells them. False if one cannot be right, as the log says: then all stay. */
bool gsls_set_fields(gsls_announcement *announcement, const gsls_fields *fields);

/** The same for the number of players alone. */
bool gsls_set_players(gsls_announcement *announcement, int players);

/**
 * Gives up what is under way, and begins to take the entry off the list. Go on with gsls_update() until the state is
 * GSLS_STOPPED: 2 s at most. With a token file the id is kept for the next start.
 */
void gsls_stop(gsls_announcement *announcement);

/** gsls_stop(), and gives up the id. gsls_stop_and_wait() may follow. */
void gsls_stop_for_good(gsls_announcement *announcement);

/** gsls_stop(), and waits for its end, for `most_ms` and 2 s at most. This one blocks. */
void gsls_stop_and_wait(gsls_announcement *announcement, int most_ms);

/** Frees it, and sends nothing more. Without a stop before, the entry stays in the list until its TTL is over. */
void gsls_free(gsls_announcement *announcement);

/** GSLS_STOPPED for NULL. */
gsls_state gsls_get_state(const gsls_announcement *announcement);

/* Texts, never NULL, and empty while there is nothing to say. They stay until the next call of another function. */

/** The id of the entry. */
const char *gsls_get_id(const gsls_announcement *announcement);
/** What went wrong last, in words. */
const char *gsls_get_problem(const gsls_announcement *announcement);
/** The header `Server-Verification` as last told: whether players reach the game server. */
const char *gsls_get_verification(const gsls_announcement *announcement);
/** The header `Server-Join-Code` as last told. */
const char *gsls_get_join_code(const gsls_announcement *announcement);

#ifdef __cplusplus
}
#endif

#endif
