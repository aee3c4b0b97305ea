/**
 * Metrics as values, so that several processes can show theirs as one. Knows nothing of Prometheus' text, nor of who
 * gathers them.
 */

/** A number with its labels. */
export interface Sample {
  /** The name, where it differs from that of the family, as in a histogram. */
  readonly metricName?: string | undefined;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** All samples of one metric. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** How several processes show it together: `omit` for not at all. Whatever is unknown is added up. */
  readonly aggregator: string;
  readonly values: readonly Sample[];
}

const TOGETHER: Readonly<Record<string, (a: number, b: number) => number>> = { max: Math.max, min: Math.min };

/** Adds up the families of several sources; families and samples keep the order in which they first come. */
export function together(sources: readonly (readonly Family[])[]): readonly Family[] {
  const families = new Map<string, { readonly family: Family; readonly samples: Map<string, Sample> }>();
  for (const family of sources.flat()) {
    const { samples } = families.get(family.name) ?? { samples: new Map<string, Sample>() };
    families.set(family.name, { family, samples });
    const join = TOGETHER[family.aggregator] ?? ((a, b) => a + b);
    for (const sample of family.values) {
      const key = JSON.stringify([sample.metricName, sample.labels]);
      const before = samples.get(key);
      samples.set(key, before ? { ...sample, value: join(before.value, sample.value) } : sample);
    }
  }
  return [...families.values()].map(({ family, samples }) => ({ ...family, values: [...samples.values()] }));
}

/** The families that several processes can show together. */
export function ofSeveral(families: readonly Family[]): readonly Family[] {
  return families.filter(({ aggregator }) => aggregator !== 'omit');
}

/** The families that only ever grow: they outlive the process that counted. */
export function growing(families: readonly Family[]): readonly Family[] {
  return families.filter(({ type }) => type === 'counter' || type === 'histogram');
}
