/** Many calls, some at a time. */

/** All at once, some would wait for longer than a second on a busy machine, and be given up. */
const MOST_AT_A_TIME = 100;

/** Calls for each item, and resolves with the outcomes in order. */
export async function inGroups<Item, Outcome>(
  items: readonly Item[],
  call: (item: Item) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  while (outcomes.length < items.length) {
    const group = items.slice(outcomes.length, outcomes.length + MOST_AT_A_TIME);
    outcomes.push(...(await Promise.all(group.map(call))));
  }
  return outcomes;
}

/** 0 to before `count`. */
export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}
