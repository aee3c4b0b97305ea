/* To be preloaded: a nameserver that does not answer for five seconds. */
#include <netdb.h>
#include <unistd.h>

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  (void)name, (void)service, (void)hints, (void)found;
  sleep(5);
  return EAI_AGAIN;
}
