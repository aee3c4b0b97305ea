/** How often tests with random input try: little while one works on the code, more in .ci/run. */

const FACTOR = Number(process.env['GSLS_TEST_RUNS'] ?? 1);

/** So many runs, times the variable GSLS_TEST_RUNS where it is set. */
export function runs(count: number): number {
  return Math.ceil(count * FACTOR);
}
