/**
 * Tests of a describe block that wait more than they work: they begin before the first test of the block, some at a
 * time, and each is told of in its turn. They may share nothing.
 */

/** As many as two cores start processes for without making the others late. */
const AT_A_TIME = 4;

/** Call it in a describe block. Returns what takes the place of `it`; blocks within may use it too. */
export function useSideBySide(): (title: string, body: () => Promise<void>) => void {
  const tests: { readonly run: () => void; readonly done: Promise<void> }[] = [];
  before(() => {
    const waiting = tests.values();
    for (let index = 0; index < AT_A_TIME; index += 1) void work(waiting);
  });
  async function work(waiting: Iterable<(typeof tests)[number]>): Promise<void> {
    for (const { run, done } of waiting) {
      run();
      // The test itself tells what went wrong.
      await done.catch(() => undefined);
    }
  }
  return (title, body) => {
    let run!: () => void;
    const done = new Promise<void>((resolve) => {
      run = resolve;
    }).then(body);
    tests.push({ run, done });
    it(title, () => done);
  };
}
