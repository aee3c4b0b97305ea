/** The answers to some requests, which are repeated while the page is visible. */

import { useCallback, useState } from 'preact/hooks';
import { getJson } from './get-json.ts';
import { useRepeated } from './use-repeated.ts';

export interface ToldAnswers<T> {
  /** The latest answers with their addresses, in the order of the addresses at that time; empty before the first. */
  readonly answers: readonly (readonly [address: string, answer: T])[];
  /** When they came, in ms since the epoch. */
  readonly toldAt: number;
  /** Whether the latest run of requests failed. */
  readonly hasFailed: boolean;
}

/** `addresses`: relative to the page; a repeated one is requested once. `everyMs`: the pause between two runs. */
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
