/** Reports, bans, labels and the audit as lists, each with a search, and what may be undone. */

import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { fold } from '../../model/fold.ts';
import type { Schemas } from './desk-api.ts';
import { useDesk, usePolled } from './desk-context.ts';
import { Problem } from './entries.tsx';
import { DismissButton, OpenLink, Voices } from './entry-sheet.tsx';

type Ban = Schemas['Ban'];
type Label = Schemas['Label'];
type Line = Schemas['AuditLine'];
type Report = Schemas['Reports']['reports'][number];

export function Reports(): JSX.Element {
  const { texts, formats } = useDesk();
  const { answer, problem } = usePolled<Schemas['Reports']>('reports');
  const { lists } = texts;
  return (
    <Searched<Report>
      rows={answer?.reports}
      problem={problem}
      keyOf={({ server }) => server.id}
      columns={{
        [lists.server]: ({ server }) => <OpenLink id={server.id} name={server.name ?? server.id} />,
        [lists.voices]: ({ count }) => formats.number(count),
        [lists.reason]: (report) => <Voices reports={report} />,
        [lists.latest]: ({ latest_at: at }) => formats.dateTime(Date.parse(at)),
        [lists.actions]: ({ server }) => <DismissButton id={server.id} />,
      }}
    />
  );
}

export function Bans(): JSX.Element {
  const { texts } = useDesk();
  const { answer, problem } = usePolled<Schemas['Bans']>('bans');
  const { lists, rule } = texts;
  return (
    <Searched<Ban>
      rows={answer?.bans.toReversed()}
      problem={problem}
      keyOf={({ ban }) => ban}
      columns={{
        [lists.whom]: (ban) => <Whom rule={ban} />,
        [lists.reason]: ({ reason }) => <bdi>{reason}</bdi>,
        [lists.how]: ({ mode }) => rule.modes[mode === 'silent' ? 'silent' : 'refuse'],
        ...useRuleColumns(),
        [lists.actions]: ({ ban }) => <UndoButton path={`bans/${ban}`} />,
      }}
    />
  );
}

export function LabelRules(): JSX.Element {
  const { texts } = useDesk();
  const { answer, problem } = usePolled<Schemas['Labels']>('labels');
  const { lists } = texts;
  return (
    <Searched<Label>
      rows={answer?.labels.toReversed()}
      problem={problem}
      keyOf={({ rule }) => rule}
      columns={{
        [lists.label]: ({ label }) => <bdi class="label">{label}</bdi>,
        [lists.whom]: (label) => <Whom rule={label} />,
        [lists.reason]: ({ reason }) => <bdi>{reason}</bdi>,
        ...useRuleColumns(),
        [lists.actions]: ({ rule }) => <UndoButton path={`labels/${rule}`} />,
      }}
    />
  );
}

export function Audit(): JSX.Element {
  const { texts } = useDesk();
  const { answer, problem } = usePolled<Schemas['Audit']>('audit');
  const { lists } = texts;
  return (
    <Searched<Line>
      rows={answer?.audit}
      problem={problem}
      keyOf={({ at, action, ban, label, server }) =>
        [at, action, ban?.ban, label?.rule, server?.id].join(' ')
      }
      columns={{
        [lists.what]: (line) => <AuditLineText line={line} />,
        [lists.actions]: (line) => <UndoLine line={line} />,
      }}
    />
  );
}

type Columns<Row> = Readonly<Record<string, (row: Row) => ComponentChildren>>;

/** The author of a rule and its times. */
function useRuleColumns(): Columns<Ban | Label> {
  const { texts, formats } = useDesk();
  const { lists } = texts;
  return {
    [lists.author]: ({ author }) => <bdi>{author || texts.auto}</bdi>,
    [lists.made]: ({ created_at: at }) => formats.dateTime(Date.parse(at)),
    [lists.until]: ({ expires_at: at }) => at && formats.dateTime(Date.parse(at)),
  };
}

interface SearchedProps<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly problem: string | undefined;
  readonly keyOf: (row: Row) => string;
  /** The cells of a row, by the heads of their columns. */
  readonly columns: Columns<Row>;
}

/** The most rows that are drawn: the search finds the others. */
const MOST_ROWS = 500;

function Searched<Row>({ rows, problem, keyOf, columns }: SearchedProps<Row>): JSX.Element {
  const { texts } = useDesk();
  const [sought, setSought] = useState('');
  const found = rows?.filter((row) => fold(JSON.stringify(row)).includes(fold(sought)));
  const cells = Object.entries(columns);
  return (
    <section class="desk-list">
      <div class="desk-tools">
        <label class="desk-search">
          <span class="visually-hidden">{texts.search}</span>
          <input
            class="field"
            type="search"
            id="search"
            placeholder={texts.search}
            value={sought}
            onInput={({ currentTarget }) => setSought(currentTarget.value)}
          />
        </label>
      </div>
      <Problem problem={problem} />
      <table class="desk-table">
        <thead>
          <tr>
            {cells.map(([head]) => (
              <th scope="col" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found?.slice(0, MOST_ROWS).map((row) => (
            <tr key={keyOf(row)}>
              {cells.map(([head, cell]) => (
                <td data-head={head} key={head}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {found?.length === 0 && <p class="note">{texts.none}</p>}
    </section>
  );
}

/** The patterns of a rule. */
function Whom({ rule }: { readonly rule: Ban | Label }): JSX.Element {
  return (
    <>
      {(['id', 'address', 'host', 'name'] as const).map(
        (pattern) =>
          rule[pattern] !== undefined && (
            <span class="whom" key={pattern}>
              <span class="muted">{pattern}</span>{' '}
              {pattern === 'id' ? <OpenLink id={rule.id!} name={rule.id!} /> : <bdi>{rule[pattern]}</bdi>}
            </span>
          ),
      )}
    </>
  );
}

/** A line of the audit as a sentence. */
export function AuditLineText({ line }: { readonly line: Line }): JSX.Element {
  const { texts, formats } = useDesk();
  const { at, author, action, ban, label, server, from, key } = line;
  return (
    <>
      <time class="muted" dateTime={at}>
        {formats.dateTime(Date.parse(at))}
      </time>{' '}
      <bdi title={[key, from].filter((each) => each !== undefined).join(', ')}>{author || texts.auto}</bdi>{' '}
      {texts.lines[action] ?? action} {label && <bdi class="label">{label.label}</bdi>}{' '}
      {(ban ?? label) && <Whom rule={(ban ?? label)!} />}
      {server && <OpenLink id={server.id} name={server.name ?? server.id} />}
    </>
  );
}

function UndoButton({ path }: { readonly path: string }): JSX.Element {
  const { api, texts } = useDesk();
  return <Undo undo={() => api.delete(path)} text={texts.actions.undo} />;
}

/** Takes the decision of a line back, if it can be. */
function UndoLine({ line }: { readonly line: Line }): JSX.Element | null {
  const { api, texts } = useDesk();
  const { action, ban, label, in_force: isInForce } = line;
  if (isInForce !== action.endsWith('_added')) return null;
  const again = (path: string, rule: Partial<Ban & Label>): (() => Promise<unknown>) => {
    const { id, address, host, name, reason, mode, label: itsLabel } = rule;
    const fields = { id, address, host, name, reason, mode, label: itsLabel };
    return () => api.post(path, { ...fields, ...api.author });
  };
  const undo =
    action === 'ban_added'
      ? () => api.delete(`bans/${ban!.ban}`)
      : action === 'label_added'
        ? () => api.delete(`labels/${label!.rule}`)
        : action === 'ban_removed'
          ? again('bans', ban!)
          : action === 'label_removed'
            ? again('labels', label!)
            : undefined;
  return undo === undefined ? null : <Undo undo={undo} text={texts.actions.undo} />;
}

function Undo({ undo, text }: { readonly undo: () => Promise<unknown>; readonly text: string }): JSX.Element {
  const { texts, decide } = useDesk();
  const undone = async (): Promise<string> => {
    await undo();
    return texts.done.undone;
  };
  return (
    <button type="button" class="button" onClick={() => void decide(undone)}>
      {text}
    </button>
  );
}
