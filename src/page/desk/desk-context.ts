/** What the components of the desk share. */

import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useState } from 'preact/hooks';
import type { Formats } from '../texts/formats.ts';
import type { DeskApi, Schemas } from './desk-api.ts';
import { isRefusedKey, reasonOf } from './desk-api.ts';
import type { DeskTexts } from './desk-texts.ts';

export const TABS = ['servers', 'reports', 'bans', 'labels', 'audit'] as const;
export type Tab = (typeof TABS)[number];

/** What a rule is begun with: the entry that it is about, and one of its properties. */
export interface RuleDraft {
  readonly kind: 'ban' | 'label';
  readonly entry: Schemas['Entry'];
}

export interface DeskContextValue {
  readonly api: DeskApi;
  readonly me: Schemas['Me'];
  readonly texts: DeskTexts;
  readonly formats: Formats;
  /** Grows with each decision, after which everything is asked for again. */
  readonly turn: number;
  /** Shows the entry with this id, or none. */
  readonly open: (id: string | undefined) => void;
  /** Shows the entries that match a query. */
  readonly find: (query: string) => void;
  readonly draft: (rule: RuleDraft) => void;
  /** Carries out a decision, says what came of it, and asks for everything again. */
  readonly decide: (doIt: () => Promise<string>) => Promise<void>;
  readonly signOut: () => void;
}

export const DeskContext = createContext<DeskContextValue | undefined>(undefined);

export function useDesk(): DeskContextValue {
  return useContext(DeskContext)!;
}

/** An answer that is asked for again and again. */
export interface Polled<T> {
  readonly answer: T | undefined;
  /** What the service said against it; '' if it does not answer. */
  readonly problem: string | undefined;
}

const INTERVAL_MS = 2000;

/** Asks for a path below /admin each two seconds while the page is seen, and at once after each decision. */
export function usePolled<T extends { readonly status: 'success' }>(path: string): Polled<T> {
  const { api, turn, signOut } = useDesk();
  const [polled, setPolled] = useState<Polled<T> & { readonly path: string }>();
  const poll = useCallback(
    async (signal: AbortSignal) => {
      try {
        setPolled({ answer: await api.get<T>(path, signal), problem: undefined, path });
      } catch (error) {
        if (signal.aborted) return;
        if (isRefusedKey(error)) signOut();
        setPolled((last) => ({
          answer: last?.path === path ? last.answer : undefined,
          problem: reasonOf(error) ?? '',
          path,
        }));
      }
    },
    [api, path],
  );
  useEffect(() => {
    const over = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const again = async (): Promise<void> => {
      if (document.visibilityState === 'visible') await poll(over.signal);
      if (!over.signal.aborted) timer = setTimeout(() => void again(), INTERVAL_MS);
    };
    void again();
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [poll, turn]);
  // What is there stays until the next answer comes.
  return polled ?? { answer: undefined, problem: undefined };
}
