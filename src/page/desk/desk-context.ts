/** What the components of the desk share. */

import { createContext } from 'preact';
import { useCallback, useContext, useState } from 'preact/hooks';
import { useRepeated } from '../connection/use-repeated.ts';
import type { DeskTexts } from '../texts/desk-texts.ts';
import type { Formats } from '../texts/formats.ts';
import type { DeskApi, Schemas } from './desk-api.ts';
import { isRefusedKey, problemOf } from './desk-api.ts';

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
  /** `why`: what the form to sign in says then. */
  readonly signOut: (why?: string) => void;
}

export const DeskContext = createContext<DeskContextValue | undefined>(undefined);

export function useDesk(): DeskContextValue {
  return useContext(DeskContext)!;
}

/** An answer that is asked for again and again. */
export interface Polled<T> {
  /** The last one, which stays when the service is away. */
  readonly answer: T | undefined;
  /** Why there is no later one. */
  readonly problem: string | undefined;
}

/** The pause between two questions. */
export const INTERVAL_MS = 2000;

/** Asks for a path below /admin each two seconds while the page is seen, and at once after each decision. */
export function usePolled<T extends { readonly status: 'success' }>(path: string): Polled<T> {
  const { api, texts, turn, signOut } = useDesk();
  const [answer, setAnswer] = useState<T>();
  const [problem, setProblem] = useState('');
  const poll = useCallback(
    async (signal: AbortSignal) => {
      try {
        setAnswer(await api.get<T>(path, signal));
      } catch (error) {
        if (isRefusedKey(error)) signOut(texts.signIn.refused);
        setProblem(problemOf(error, texts));
        throw error;
      }
    },
    [api, path, turn],
  );
  return { answer, problem: useRepeated(poll, INTERVAL_MS) ? problem : undefined };
}
