/** Reads what `GET /metrics` answers. */

/** The value of a metric without labels, or with these: `name{label="value"}`. */
export function valueOf(text: string, name: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}
