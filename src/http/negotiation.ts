/** Which encoding a client gets, out of its Accept-Encoding (RFC 9110 section 12.5.3). */

/**
 * The acceptable one with the highest weight; among equals the one that comes first in `offered`. Undefined when
 * the client refuses them all. When it names nothing of ours, `identity` is acceptable.
 */
export function chooseEncoding<T extends string>(
  header: string,
  offered: readonly T[],
): T | 'identity' | undefined {
  const weights = parseWeights(header);
  const rest = weights.get('*');
  let best: T | 'identity' | undefined;
  let bestWeight = 0;
  for (const encoding of [...offered, 'identity' as const]) {
    // What is not named is refused, but for identity, which comes last in any case.
    const weight = weights.get(encoding) ?? rest ?? (encoding === 'identity' ? Number.MIN_VALUE : 0);
    if (weight > bestWeight) [best, bestWeight] = [encoding, weight];
  }
  return best;
}

function parseWeights(header: string): Map<string, number> {
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
