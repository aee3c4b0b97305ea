/** The answers to some requests, asked for again and again while the page is visible. */

import { useCallback, useState } from 'preact/hooks';
import { getJson } from './get-json.ts';
import { useRepeated } from './use-repeated.ts';

export interface ToldAnswers<T> {
  /** The latest answers with what they answer, in the order of the addresses then; empty before the first ones. */
  readonly answers: readonly (readonly [address: string, answer: T])[];
  /** When they were told, in ms since the epoch. */
  readonly toldAt: number;
  /** Whether they could not be had the last time. */
  readonly hasFailed: boolean;
}

/**
 * `addresses`: relative to the page; one that is there twice is asked for once. `everyMs`: the pause between two runs.
 */
export function useAnswers<T extends { readonly status: 'success' }>(
  addresses: readonly string[],
  everyMs: number,
): ToldAnswers<T> {
  const [told, setTold] = useState<Omit<ToldAnswers<T>, 'hasFailed'>>({ answers: [], toldAt: 0 });
  const text = addresses.join('\n');
  const refresh = useCallback(
    async (signal: AbortSignal) => {
      if (text === '') return;
      const wanted = text.split('\n');
      const asked = new Map([...new Set(wanted)].map((address) => [address, getJson<T>(address, signal)]));
      const answers = await Promise.all(
        wanted.map(async (address) => [address, await asked.get(address)!] as const),
      );
      setTold({ answers, toldAt: Date.now() });
    },
    [text],
  );
  return { ...told, hasFailed: useRepeated(refresh, everyMs) };
}
