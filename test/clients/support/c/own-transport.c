/* A game with a transport of its own, which accepts a broadcast without a network. */
#include "gsls.h"

#include <stdio.h>
#include <string.h>

static gsls_answer *asked = NULL;

static bool start(void *context, const gsls_request *request, gsls_answer *answer) {
  (void)context;
  puts(request->url);
  asked = answer;
  return true;
}

static bool is_over(void *context) {
  static const char BODY[] = "{\"status\":\"success\",\"server_id\":\"mine\"}";
  (void)context;
  gsls_answer_status(asked, 200);
  gsls_answer_header(asked, "Server-Ping-Interval", "20");
  gsls_answer_body(asked, BODY, strlen(BODY));
  return true;
}

static void cancel(void *context) { (void)context; }

int main(void) {
  const gsls_transport transport = {.start = start, .is_over = is_over, .cancel = cancel};
  const gsls_fields fields = {.server_host = "a", .server_name = "b", .server_port = 7777, .max_players = 16};
  const gsls_options options = {.transport = &transport};
  gsls_announcement *listing = gsls_announce("http://localhost", &fields, &options);
  gsls_update(listing, 0);
  gsls_update(listing, 0);
  puts(gsls_get_id(listing));
  gsls_stop_and_wait(listing, 2000);
  gsls_free(listing);
  return 0;
}
