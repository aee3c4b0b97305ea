/**
 * The form of a person whose server is not in the list: an address in, the cause and the next step out. It has no field
 * for a token, which nobody should paste into a page. It asks only on demand: an answer may cost a probe.
 */

import './missing-dialog.css';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { postJson } from '../connection/get-json.ts';
import { Dialog } from '../parts/dialog.tsx';
import { usePage } from '../parts/page-context.ts';
import { useWatched } from '../hooks/use-watched.ts';
import { Asking, type AskingStatus, type FailureCause } from './asking.ts';
import { CauseLine, Findings } from './diagnosis.tsx';
import { exampleOf, LONGEST_ADDRESS, LONGEST_ID, questionOf } from './question.ts';

export function MissingDialog(): JSX.Element | null {
  return usePage().state.isMissingOpen ? <OpenDialog /> : null;
}

const HINT_ID = 'missing-hint';
const OUTCOME_ID = 'missing-outcome';

function createAsking(): Asking {
  return new Asking((question, signal) => postJson('doctor', question, signal));
}

function OpenDialog(): JSX.Element {
  const { texts, navigate } = usePage();
  const { missing } = texts;
  const outcome = useRef<HTMLDivElement>(null);
  const address = useRef<HTMLInputElement>(null);
  const id = useRef<HTMLInputElement>(null);
  const [asking] = useState(createAsking);
  const status = useWatched(asking, () => asking.status);
  /** The typed address, if it makes no question. */
  const [wrong, setWrong] = useState<string>();

  useLayoutEffect(() => () => asking.close(), []);
  // On a small screen the outcome would be below the visible part.
  useEffect(() => {
    if (status.is === 'told' || status.is === 'failed') outcome.current!.scrollIntoView({ block: 'nearest' });
  }, [status]);

  const ask = (): void => {
    if (asking.isBusy) return;
    const question = questionOf(address.current!.value, id.current!.value);
    setWrong(question === undefined ? address.current!.value : undefined);
    if (question === undefined) address.current!.focus();
    else void asking.ask(question);
  };
  const told = status.is === 'told' && wrong === undefined ? status.diagnosis : undefined;
  return (
    <Dialog name="missing" title={missing.open} onClose={() => navigate({ isMissingOpen: false })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <p class="muted" id={HINT_ID}>
          {missing.hint}
        </p>
        <label>
          <span>{missing.address}</span>
          <input
            ref={address}
            class="field"
            aria-describedby={wrong === undefined ? HINT_ID : OUTCOME_ID}
            aria-invalid={wrong !== undefined}
            placeholder={exampleOf('')}
            autoFocus
            {...PLAIN}
            maxLength={LONGEST_ADDRESS}
            onInput={() => setWrong(undefined)}
          />
        </label>
        <label>
          <span>{missing.id}</span>
          <input ref={id} class="field" {...PLAIN} maxLength={LONGEST_ID} />
        </label>
        <button class="button is-main" aria-disabled={asking.isBusy}>
          {missing.ask}
        </button>
        <div class="missing-outcome" id={OUTCOME_ID} ref={outcome} role="status">
          {wrong === undefined ? (
            <Outcome status={status} />
          ) : (
            <p class="is-warn">{missing.example(exampleOf(wrong))}</p>
          )}
        </div>
        {told !== undefined && <Findings diagnosis={told} />}
      </form>
    </Dialog>
  );
}

/** The attributes of fields for texts that are no words. */
const PLAIN = { autoComplete: 'off', autoCapitalize: 'off', spellcheck: false } as const;

function Outcome({ status }: { readonly status: AskingStatus }): JSX.Element | null {
  const { texts } = usePage();
  switch (status.is) {
    case 'idle':
      return null;
    case 'asking':
      return <p class="muted">{texts.join.outcome.asking}</p>;
    case 'told':
      return <CauseLine diagnosis={status.diagnosis} />;
  }
  const { cause, reason, waitMs } = status;
  const { refused, limited } = texts.missing;
  const { unauthorized, unreachable } = texts.feed.away;
  const { away } = texts.join.outcome;
  const words: Readonly<Record<FailureCause, string>> = {
    limited: limited(Math.ceil(waitMs / 1000)),
    refused,
    unauthorized,
    unavailable: away,
    offline: `${unreachable} ${away}`,
  };
  return (
    <p class="is-warn">
      {words[cause]}
      {cause === 'refused' && <bdi lang="en"> {reason}</bdi>}
    </p>
  );
}
