/** Reads what a client accepts: encodings, types and languages (RFC 9110 section 12.5). */

import { LRUCache } from 'lru-cache';

type Weights = ReadonlyMap<string, number>;

/** How many parsed headers are remembered: clients send few different ones, each of them many times. */
const MOST_REMEMBERED = 100;
/** The longest header that is remembered, in characters. */
const LONGEST_REMEMBERED = 200;
const remembered = new LRUCache<string, Weights>({ max: MOST_REMEMBERED });

/**
 * The acceptable encoding with the highest weight; among equals the one that comes first in `offered`. `identity` is
 * acceptable unless the client refuses it. Undefined when the client refuses every encoding.
 */
export function chooseEncoding<T extends string>(
  header: string,
  offered: readonly T[],
): T | 'identity' | undefined {
  const weights = weightsIn(header);
  const rest = weights.get('*');
  let best: T | 'identity' | undefined;
  let bestWeight = 0;
  for (const encoding of [...offered, 'identity' as const]) {
    // An encoding without a weight is refused, except identity, which then has the lowest weight.
    const weight = weights.get(encoding) ?? rest ?? (encoding === 'identity' ? Number.MIN_VALUE : 0);
    if (weight > bestWeight) [best, bestWeight] = [encoding, weight];
  }
  return best;
}

function weightsIn(header: string): Weights {
  let weights = remembered.get(header);
  if (weights === undefined) {
    weights = parseWeights(header);
    if (header.length <= LONGEST_REMEMBERED) remembered.set(header, weights);
  }
  return weights;
}

function parseWeights(header: string): Weights {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim());
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = q === undefined ? 1 : Number(q);
    if (coding !== '' && weight >= 0 && weight <= 1)
      weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight);
  }
  return weights;
}

/** Whether the Accept header names exactly this type, and does not refuse it. */
export function accepts(header: string | undefined, type: string): boolean {
  return header !== undefined && (weightsIn(header).get(type) ?? 0) > 0;
}

/** Whether the Accept header names exactly this type, with more weight than the other one or a range around that. */
export function prefers(header: string | undefined, type: string, other: string): boolean {
  if (header === undefined) return false;
  const weights = weightsIn(header);
  const range = `${other.slice(0, other.indexOf('/'))}/*`;
  return (weights.get(type) ?? 0) > (weights.get(other) ?? weights.get(range) ?? weights.get('*/*') ?? 0);
}

/** The languages that the Accept-Language header names, in lower case: the best first. */
export function acceptedLanguages(header = ''): readonly string[] {
  const weights = [...weightsIn(header)].filter(([tag, weight]) => weight > 0 && tag !== '*');
  return weights.toSorted(([, one], [, other]) => other - one).map(([tag]) => tag);
}
