/** A number with its noun, as in `1 server` and `2 servers`. `nouns`: the noun for several, where it takes no s. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
