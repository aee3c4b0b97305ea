/** Reports, bans, labels and the audit as lists, each with a search, and what may be undone. */

import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { fold } from '../../model/fold.ts';
import { SearchField } from '../filters/search-box.tsx';
import { labelMarks } from '../parts/label-marks.tsx';
import type { Schemas } from './desk-api.ts';
import { useDesk, usePolled, type Polled } from './desk-context.ts';
import {
  AuditDeed,
  DecideButton,
  DismissButton,
  LastProblem,
  OpenLink,
  RulePatterns,
  VoicesSaid,
} from './desk-parts.tsx';

type Ban = Schemas['Ban'];
type Label = Schemas['Label'];
type Line = Schemas['AuditLine'];
type Report = Schemas['Reports']['reports'][number];

export function ReportsList(): JSX.Element {
  const { texts, formats } = useDesk();
  const polled = usePolled<Schemas['Reports']>('reports');
  const { lists } = texts;
  return (
    <SearchedTable<Report>
      {...polled}
      rows={polled.answer?.reports}
      keyOf={({ server }) => server.id}
      columns={{
        [lists.server]: ({ server }) => <OpenLink id={server.id} name={server.name ?? server.id} />,
        [lists.voices]: ({ count }) => formats.number(count),
        [lists.reason]: (report) => <VoicesSaid reports={report} />,
        [lists.latest]: ({ latest_at: at }) => <Time at={at} />,
        [lists.actions]: ({ server }) => <DismissButton id={server.id} />,
      }}
    />
  );
}

export function BansList(): JSX.Element {
  const { texts } = useDesk();
  const polled = usePolled<Schemas['Bans']>('bans');
  const { lists, rule } = texts;
  return (
    <SearchedTable<Ban>
      {...polled}
      rows={polled.answer?.bans.toReversed()}
      keyOf={({ ban }) => ban}
      columns={{
        [lists.whom]: (ban) => <RulePatterns rule={ban} />,
        [lists.how]: ({ mode }) => rule.modes[mode === 'silent' ? 'silent' : 'refuse'],
        ...useRuleColumns((ban) => `bans/${(ban as Ban).ban}`),
      }}
    />
  );
}

export function LabelsList(): JSX.Element {
  const { texts } = useDesk();
  const polled = usePolled<Schemas['Labels']>('labels');
  const { lists } = texts;
  return (
    <SearchedTable<Label>
      {...polled}
      rows={polled.answer?.labels.toReversed()}
      keyOf={({ rule }) => rule}
      columns={{
        [lists.label]: ({ label }) => labelMarks([label]),
        [lists.whom]: (label) => <RulePatterns rule={label} />,
        ...useRuleColumns((label) => `labels/${(label as Label).rule}`),
      }}
    />
  );
}

export function AuditList(): JSX.Element {
  const { texts } = useDesk();
  const polled = usePolled<Schemas['Audit']>('audit');
  const { lists } = texts;
  return (
    <SearchedTable<Line>
      {...polled}
      rows={polled.answer?.audit}
      keyOf={({ at, action, ban, label, server }) =>
        [at, action, ban?.ban, label?.rule, server?.id].join(' ')
      }
      columns={{
        [lists.when]: ({ at }) => <Time at={at} />,
        [lists.author]: ({ author, key, from }) => (
          <bdi title={[key, from].filter((each) => each !== undefined).join(', ')}>
            {author || texts.auto}
          </bdi>
        ),
        [lists.what]: (line) => <AuditDeed line={line} />,
        [lists.actions]: (line) => <UndoLine line={line} />,
      }}
    />
  );
}

type Columns<Row> = Readonly<Record<string, (row: Row) => ComponentChildren>>;

/** What bans and labels have in common. `pathOf`: where a rule is taken back. */
function useRuleColumns(pathOf: (rule: Ban | Label) => string): Columns<Ban | Label> {
  const { texts } = useDesk();
  const { lists } = texts;
  return {
    [lists.reason]: ({ reason }) => reason && <bdi>{reason}</bdi>,
    [lists.author]: ({ author }) => <bdi>{author || texts.auto}</bdi>,
    [lists.made]: ({ created_at: at }) => <Time at={at} />,
    [lists.until]: ({ expires_at: at }) => at && <Time at={at} />,
    [lists.actions]: (rule) => <UndoRule path={pathOf(rule)} />,
  };
}

function Time({ at }: { readonly at: string }): JSX.Element {
  const { formats } = useDesk();
  return <time dateTime={at}>{formats.dateTime(Date.parse(at))}</time>;
}

interface SearchedTableProps<Row> extends Pick<Polled<unknown>, 'problem'> {
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string;
  /** The cells of a row, by the heads of their columns. */
  readonly columns: Columns<Row>;
}

/** The most rows that are drawn: the search finds the others. */
const MOST_ROWS = 500;

function SearchedTable<Row>({ rows, problem, keyOf, columns }: SearchedTableProps<Row>): JSX.Element {
  const { texts } = useDesk();
  const [sought, setSought] = useState('');
  const found = rows?.filter((row) => fold(JSON.stringify(row)).includes(fold(sought)));
  const cells = Object.entries(columns);
  return (
    <section>
      <div class="in-lines desk-tools">
        <SearchField
          placeholder={texts.search}
          value={sought}
          onInput={({ currentTarget }) => setSought(currentTarget.value)}
        />
      </div>
      <LastProblem problem={problem} />
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

function UndoRule({ path }: { readonly path: string }): JSX.Element {
  const { api, texts } = useDesk();
  return (
    <DecideButton decision={() => api.delete(path)} done={texts.done.undone}>
      {texts.actions.undo}
    </DecideButton>
  );
}

/** Takes the decision of a line back, if it can be. */
function UndoLine({ line }: { readonly line: Line }): JSX.Element | null {
  const { api, texts } = useDesk();
  const { action, ban, label, in_force: isInForce } = line;
  const path = ban ? 'bans' : 'labels';
  const given = ban ?? label;
  if (given === undefined || isInForce !== action.endsWith('_added') || action.endsWith('_expired'))
    return null;
  if (isInForce) return <UndoRule path={`${path}/${ban?.ban ?? label!.rule}`} />;
  const { id, address, host, name, reason, mode, label: its, expires_at }: Partial<Ban & Label> = given;
  const fields = { id, address, host, name, reason, mode, label: its, expires_at };
  return (
    <DecideButton decision={() => api.post(path, { ...fields, ...api.author })} done={texts.done.undone}>
      {texts.actions.undo}
    </DecideButton>
  );
}
