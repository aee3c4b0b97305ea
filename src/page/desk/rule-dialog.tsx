/** The dialog for a ban or a label: by which property of an entry, with what it would match before it is done. */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { reasonOf, type Schemas } from './desk-api.ts';
import { useDesk, type RuleDraft } from './desk-context.ts';

const PATTERNS = ['id', 'address', 'host', 'name'] as const;
type Pattern = (typeof PATTERNS)[number];

const SPANS_MS: Readonly<Record<string, number>> = {
  '1h': 3.6e6,
  '1d': 8.64e7,
  '7d': 6.048e8,
  '30d': 2.592e9,
};

/** How long the moderator does not type before the preview is asked for. */
const PAUSE_MS = 200;

export function RuleDialog({
  rule: { kind, entry },
  onClose,
}: {
  readonly rule: RuleDraft;
  readonly onClose: () => void;
}): JSX.Element {
  const { api, me, texts, decide } = useDesk();
  const words = texts.rule;
  const isBan = kind === 'ban';
  const valueOf = (pattern: Pattern): string =>
    ({ id: entry.id, address: entry.client ?? entry.ip, host: entry.host, name: entry.name })[pattern];
  const [pattern, setPattern] = useState<Pattern>('id');
  const [value, setValue] = useState(valueOf('id'));
  const [reason, setReason] = useState('');
  const [mode, setMode] = useState<'refuse' | 'silent'>('refuse');
  const [span, setSpan] = useState('');
  const [label, setLabel] = useState(me.labels[0]!);
  const matched = usePreview(pattern, value, entry.id);
  const carryOut = (): Promise<void> =>
    decide(async () => {
      const expires = SPANS_MS[span];
      const fields = {
        [pattern]: value,
        ...(reason !== '' && { reason }),
        ...(expires !== undefined && { expires_at: new Date(Date.now() + expires).toISOString() }),
        ...api.author,
      };
      onClose();
      if (isBan) {
        const { matches } = await api.post<Schemas['NewBan']>('bans', { ...fields, mode });
        return texts.done.banned(String(matches));
      }
      const { matches } = await api.post<Schemas['NewLabel']>('labels', { ...fields, label });
      return texts.done.labelled(String(matches));
    });
  return (
    <Dialog name="desk-rule" title={isBan ? words.ban : words.label} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void carryOut();
        }}
      >
        {!isBan && (
          <label>
            {words.which}
            <select
              class="field"
              value={label}
              onChange={({ currentTarget }) => setLabel(currentTarget.value)}
            >
              {me.labels.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
        )}
        <label>
          {words.by}
          <select
            class="field"
            value={pattern}
            onChange={({ currentTarget }) => {
              const next = currentTarget.value as Pattern;
              setPattern(next);
              setValue(valueOf(next));
            }}
          >
            {PATTERNS.map((each) => (
              <option value={each} key={each}>
                {words.patterns[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.value}
          <input
            class="field"
            value={value}
            required
            readOnly={pattern === 'id'}
            list="desk-values"
            spellcheck={false}
            onInput={({ currentTarget }) => setValue(currentTarget.value)}
          />
          <datalist id="desk-values">
            {pattern === 'address' && entry.network !== undefined && <option value={entry.network} />}
          </datalist>
        </label>
        {pattern !== 'id' && pattern !== 'address' && <p class="muted">{words.globs}</p>}
        <p class="desk-preview" role="status">
          {matched.problem ??
            (matched.answer && words.preview(String(matched.answer.matches), othersIn(matched.answer)))}
        </p>
        <label>
          {isBan ? words.reason : words.why}
          <input
            class="field"
            value={reason}
            required={isBan}
            maxLength={256}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </label>
        {isBan && (
          <label>
            {words.mode}
            <select
              class="field"
              value={mode}
              onChange={({ currentTarget }) => setMode(currentTarget.value as typeof mode)}
            >
              {(['refuse', 'silent'] as const).map((each) => (
                <option value={each} key={each}>
                  {words.modes[each]}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          {words.until}
          <select class="field" value={span} onChange={({ currentTarget }) => setSpan(currentTarget.value)}>
            {Object.entries(words.spans).map(([each, text]) => (
              <option value={each} key={each}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <div class="in-lines desk-actions">
          <button type="submit" class="button is-main">
            {isBan ? words.doBan : words.doLabel}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {texts.actions.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function othersIn({ other_networks: others }: Schemas['Preview']): string | undefined {
  return others === undefined ? undefined : String(others);
}

interface Matched {
  readonly answer?: Schemas['Preview'];
  readonly problem?: string | undefined;
}

/** What the pattern would match now. */
function usePreview(pattern: Pattern, value: string, of: string): Matched {
  const { api } = useDesk();
  const [matched, setMatched] = useState<Matched>({});
  useEffect(() => {
    setMatched({});
    if (value === '') return undefined;
    const over = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        setMatched({ answer: await api.post('preview', { [pattern]: value, of }, over.signal) });
      } catch (error) {
        if (!over.signal.aborted) setMatched({ problem: reasonOf(error) });
      }
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [api, pattern, value, of]);
  return matched;
}
