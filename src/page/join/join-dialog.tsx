/**
 * Asks for a join code, and shows the server that has it. A typed code goes to the service alone: neither to the
 * address of the page nor to the history of the browser. A code in the address is removed once its server is found.
 */

import './join-dialog.css';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { usePage } from '../parts/page-context.ts';
import { AnswerError, getJson, type Answers } from '../connection/get-json.ts';

export function JoinDialog(): JSX.Element | null {
  const { state } = usePage();
  return state.joinCode === undefined ? null : <OpenDialog code={state.joinCode} />;
}

const HINT_ID = 'join-hint';

function OpenDialog({ code }: { readonly code: string }): JSX.Element {
  const { texts, navigate } = usePage();
  const { join } = texts;
  const field = useRef<HTMLInputElement>(null);
  const asked = useRef<AbortController>(undefined);
  const [typed, setTyped] = useState(code);
  const [outcome, setOutcome] = useState<Exclude<JoinOutcome['is'], 'found'> | 'asking'>();

  useLayoutEffect(() => () => asked.current?.abort(), []);

  const find = async (text: string): Promise<void> => {
    asked.current?.abort();
    const mine = (asked.current = new AbortController());
    setOutcome('asking');
    const found = await findByCode(text, mine.signal);
    if (mine.signal.aborted) return;
    if (found.is !== 'found') return setOutcome(found.is);
    navigate({ joinCode: undefined, serverId: found.id, view: 'list' }, { replace: true });
  };
  useEffect(() => {
    if (code !== '') void find(code);
  }, [code]);

  return (
    <Dialog name="join" title={join.title} onClose={() => navigate({ joinCode: undefined })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // The text that is in the field now: the last key may not be rendered yet.
          void find(field.current!.value);
        }}
      >
        <p class="muted" id={HINT_ID}>
          {join.hint}
        </p>
        <input
          ref={field}
          class="field"
          aria-label={join.code}
          aria-describedby={HINT_ID}
          placeholder="7KQ01-MZX4R"
          required
          autoFocus
          autoComplete="off"
          autoCapitalize="characters"
          spellcheck={false}
          maxLength={LONGEST_CODE}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setOutcome(undefined);
          }}
        />
        <button class="button is-main">{join.show}</button>
        <p class="join-outcome" role="status">
          {outcome === undefined ? '' : join.outcome[outcome]}
        </p>
      </form>
    </Dialog>
  );
}

/** The outcomes of asking for a join code, each of which has a text. */
type JoinOutcome =
  | { readonly is: 'found'; readonly id: string }
  /** No server has this code. */
  | { readonly is: 'unknown' }
  /** This address has tried too many codes. */
  | { readonly is: 'limited' }
  /** The service was not reached, or has no list. */
  | { readonly is: 'away' };

/** A code has ten characters, and a person may separate them. */
const LONGEST_CODE = 40;

/** Asks the service for the unlisted server with a join code. */
async function findByCode(text: string, signal: AbortSignal): Promise<JoinOutcome> {
  const code = text.replaceAll(/[\s-]/g, '');
  // Another character would change the path, and no code has one.
  if (!/^[a-z\d]+$/i.test(code) || text.length > LONGEST_CODE) return { is: 'unknown' };
  try {
    const { server } = await getJson<Answers['OneServer']>(`join/${code}`, signal);
    return { is: 'found', id: server.id };
  } catch (error) {
    return { is: error instanceof AnswerError ? outcomeOf(error.code) : 'away' };
  }
}

function outcomeOf(code: string | undefined): 'unknown' | 'limited' | 'away' {
  switch (code) {
    case 'unknown_join_code':
    // A service that answers so has no unlisted servers.
    case 'not_found':
      return 'unknown';
    case 'rate_limited':
      return 'limited';
  }
  return 'away';
}
