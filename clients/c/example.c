/*
 * A game server that does nothing but stay listed. For POSIX.
 *
 *   cc -o example example.c gsls.c -lcurl && ./example http://localhost:53600 [token file]
 */
#define _POSIX_C_SOURCE 200809L
#include "gsls.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

static volatile sig_atomic_t is_over = 0;

static void end(int number) {
  (void)number;
  is_over = 1;
}

static uint64_t clock_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/** A turn of the game. One that has nothing else to do may sleep for as long as gsls_next_update_ms() says. */
static void play(void) {
  const struct timespec turn = {0, 16000000};
  nanosleep(&turn, NULL);
}

int main(int count, char **arguments) {
  gsls_fields fields = {
      .server_host = "eu1.example.com",
      .server_name = "Frankfurt 1",
      .server_port = 7777,
      .players = 3,
      .max_players = 16,
      .map = "de_dust2", /* Optional, as is all from here on: see docs/api.md#details. */
      .mode = "bomb defusal",
      .tags = {"ranked"},
      .meta_json = "{\"level\":5}",
  };
  gsls_options options = {.key = getenv("GSLS_KEY"), .token_file = count > 2 ? arguments[2] : NULL};
  gsls_announcement *listing = gsls_announce(count > 1 ? arguments[1] : NULL, &fields, &options);
  if (listing == NULL) return 1;

  signal(SIGINT, end);
  signal(SIGTERM, end);
  while (!is_over) {
    play();
    gsls_set_players(listing, 3 + (int)(clock_ms() / 60000 % 10));
    gsls_update(listing, clock_ms());
  }
  gsls_stop_and_wait(listing, 2000);
  gsls_free(listing);
  return 0;
}
