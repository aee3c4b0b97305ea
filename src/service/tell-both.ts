/** Passes events on to two receivers. */

type Listener = (...args: readonly unknown[]) => void;

/** Each event goes to the one, then to the other, as far as they listen to it. */
export function tellBoth<One extends object, Other extends object>(one: One, other: Other): One & Other {
  const second = other as Readonly<Record<string, Listener | undefined>>;
  const told = { ...one, ...other };
  for (const [name, first] of Object.entries(one) as [string, Listener][]) {
    const next = second[name];
    if (next === undefined) continue;
    const tell: Listener = (...args) => {
      first(...args);
      next(...args);
    };
    Object.assign(told, { [name]: tell });
  }
  return told;
}
