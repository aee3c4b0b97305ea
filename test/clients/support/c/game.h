/* The game of the lines in the README: it runs until its input ends. */
#include <stdbool.h>
#include <stdint.h>

bool game_runs(void);
int game_players(void);
uint64_t game_clock_ms(void);
