/*
 * A game whose service does not answer: prints how many ms the longest call into gsls took, and each line of its log.
 * Its arguments: the URL, and for how many ms it plays.
 */
#define _POSIX_C_SOURCE 200809L
#include "gsls.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t clock_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static uint64_t longest_ms = 0;
static uint64_t began_ms;

static void begin(void) { began_ms = clock_ms(); }

static void end(void) {
  if (clock_ms() - began_ms > longest_ms) longest_ms = clock_ms() - began_ms;
}

static void print(void *context, const char *line) {
  (void)context;
  printf("%s\n", line);
}

int main(int count, char **arguments) {
  const struct timespec turn = {0, 1000000};
  const gsls_fields fields = {.server_host = "a", .server_name = "b", .server_port = 7777, .max_players = 16};
  const gsls_options options = {.timeout_ms = 200, .log = print};
  const uint64_t over_ms = clock_ms() + (count > 2 ? strtoul(arguments[2], NULL, 10) : 0);
  gsls_announcement *listing = gsls_announce(arguments[1], &fields, &options);
  while (gsls_get_state(listing) != GSLS_STOPPED) {
    begin();
    if (clock_ms() > over_ms) gsls_stop(listing);
    gsls_update(listing, clock_ms());
    end();
    nanosleep(&turn, NULL);
  }
  begin();
  gsls_free(listing);
  end();
  printf("longest call: %lu ms\n", (unsigned long)longest_ms);
  return 0;
}
