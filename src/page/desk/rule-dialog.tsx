/** The dialog for a ban or a label: by which property of an entry, with what it would match before it is done. */

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { problemOf, type Schemas } from './desk-api.ts';
import { useDesk, type RuleDraft } from './desk-context.ts';

/** An address and a network are one field of a rule. */
const PATTERNS = ['id', 'address', 'network', 'host', 'name'] as const;
type Pattern = (typeof PATTERNS)[number];
type Patterns = Readonly<Record<string, string>>;

const SPANS_MS: Readonly<Record<string, number>> = {
  '1h': 3.6e6,
  '1d': 8.64e7,
  '7d': 6.048e8,
  '30d': 2.592e9,
};

/** How long the moderator does not type before the preview is asked for. */
const PAUSE_MS = 200;

/** How many of the entries that it matches are named. */
const MOST_NAMED = 3;

export function RuleDialog({
  rule: { kind, entry },
  onClose,
}: {
  readonly rule: RuleDraft;
  readonly onClose: () => void;
}): JSX.Element {
  const { api, me, texts, formats, decide } = useDesk();
  const othersIn = ({ other_networks: others }: Schemas['Preview']): string | undefined =>
    others === undefined ? undefined : formats.number(others);
  const words = texts.rule;
  const isBan = kind === 'ban';
  const values: Readonly<Record<Pattern, string | undefined>> = {
    id: entry.id,
    address: entry.client ?? entry.ip,
    network: entry.network,
    host: entry.host,
    name: entry.name,
  };
  const [pattern, setPattern] = useState<Pattern>('id');
  const [value, setValue] = useState(entry.id);
  const [reason, setReason] = useState('');
  const [mode, setMode] = useState<'refuse' | 'silent'>('refuse');
  const [span, setSpan] = useState('');
  const [label, setLabel] = useState(me.labels[0]!);
  const patterns = { [pattern === 'network' ? 'address' : pattern]: value };
  const matched = usePreview(patterns, entry.id);
  const carryOut = (): Promise<void> =>
    decide(async () => {
      const expires = SPANS_MS[span];
      const fields = {
        ...patterns,
        ...(reason !== '' && { reason }),
        ...(expires !== undefined && { expires_at: new Date(Date.now() + expires).toISOString() }),
        ...api.author,
      };
      onClose();
      if (isBan) {
        const { matches } = await api.post<Schemas['NewBan']>('bans', { ...fields, mode });
        return texts.done.banned(formats.number(matches));
      }
      const { matches } = await api.post<Schemas['NewLabel']>('labels', { ...fields, label });
      return texts.done.labelled(formats.number(matches));
    });
  return (
    <Dialog name="desk-rule" title={isBan ? words.ban : words.label} onClose={onClose}>
      <form
        class="desk-form"
        onSubmit={(event) => {
          event.preventDefault();
          void carryOut();
        }}
      >
        {!isBan && <Choice title={words.which} options={me.labels} chosen={label} onChoose={setLabel} />}
        <label>
          {isBan ? words.reason : words.why}
          <input
            class="field"
            value={reason}
            required={isBan}
            autoFocus
            autoComplete="off"
            maxLength={256}
            onInput={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </label>
        <Choice
          title={words.by}
          options={PATTERNS.filter((each) => values[each] !== undefined)}
          texts={words.patterns}
          chosen={pattern}
          onChoose={(next) => {
            setPattern(next);
            setValue(values[next]!);
          }}
        />
        <label>
          {words.value}
          <input
            class="field"
            value={value}
            required
            readOnly={pattern === 'id'}
            spellcheck={false}
            onInput={({ currentTarget }) => setValue(currentTarget.value)}
          />
          {(pattern === 'host' || pattern === 'name') && <small class="muted">{words.globs}</small>}
        </label>
        <div class="desk-preview" role="status">
          {matched.problem}
          {matched.answer && (
            <>
              <b>{words.preview(formats.number(matched.answer.matches), othersIn(matched.answer))}</b>
              <span class="muted">
                {matched.answer.servers.slice(0, MOST_NAMED).map(({ id, name }) => (
                  <bdi class="desk-named" key={id}>
                    {name}
                  </bdi>
                ))}
              </span>
            </>
          )}
        </div>
        {isBan && (
          <Choice
            title={words.mode}
            options={['refuse', 'silent']}
            texts={words.modes}
            chosen={mode}
            onChoose={setMode}
          />
        )}
        <Choice
          title={words.until}
          options={['', ...Object.keys(SPANS_MS)]}
          texts={words.spans}
          chosen={span}
          onChoose={setSpan}
        />
        <div class="in-lines desk-actions">
          <button class="button is-main">{isBan ? words.doBan : words.doLabel}</button>
          <button type="button" class="button" onClick={onClose}>
            {texts.actions.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface ChoiceProps<Option extends string> {
  readonly title: string;
  readonly options: readonly Option[];
  /** The words for the options, where they are not words by themselves. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly chosen: Option;
  readonly onChoose: (option: Option) => void;
}

/** One of a few, each a click away. */
function Choice<Option extends string>(props: ChoiceProps<Option>): JSX.Element {
  const { title, options, texts, chosen, onChoose } = props;
  return (
    <fieldset class="in-lines desk-choice">
      <legend>{title}</legend>
      {options.map((option) => (
        <label class="button" key={option}>
          <input type="radio" name={title} checked={option === chosen} onChange={() => onChoose(option)} />
          <bdi>{texts?.[option] ?? option}</bdi>
        </label>
      ))}
    </fieldset>
  );
}

interface Matched {
  readonly answer?: Schemas['Preview'];
  readonly problem?: string;
}

/** What the patterns would match now. */
function usePreview(patterns: Patterns, of: string): Matched {
  const { api, texts } = useDesk();
  const [matched, setMatched] = useState<Matched>({});
  const asked = JSON.stringify({ ...patterns, of });
  useEffect(() => {
    setMatched({});
    const over = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        setMatched({ answer: await api.post('preview', JSON.parse(asked) as object, over.signal) });
      } catch (error) {
        if (!over.signal.aborted) setMatched({ problem: problemOf(error, texts) });
      }
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [api, asked]);
  return matched;
}
