/** The small parts of which the views of the desk are made. */

import type { ComponentChildren, JSX } from 'preact';
import { labelMarks } from '../parts/label-marks.tsx';
import type { Schemas } from './desk-api.ts';
import { useDesk } from './desk-context.ts';

/** Whether the list shows the entry, in a word. */
export function EntryState({ entry }: { readonly entry: Schemas['Entry'] }): JSX.Element {
  const { texts } = useDesk();
  const { hidden_by: hiddenBy, not_reached: notReached } = entry;
  if (hiddenBy === undefined) return <span class="is-whole">{texts.shown}</span>;
  return (
    <b class="is-whole is-hidden" title={notReached}>
      {texts.hiddenBy[hiddenBy] ?? hiddenBy}
    </b>
  );
}

/** What went wrong with the last question. */
export function LastProblem({ problem }: { readonly problem: string | undefined }): JSX.Element {
  return (
    <p class="desk-problem" role="alert">
      {problem}
    </p>
  );
}

/** How many networks say what, and their notes. */
export function VoicesSaid({
  reports,
}: {
  readonly reports: Pick<Schemas['Reports']['reports'][number], 'reasons' | 'notes'>;
}): JSX.Element {
  const { formats } = useDesk();
  return (
    <>
      {labelMarks(Object.entries(reports.reasons).map(([reason, n]) => `${reason} ${formats.number(n)}`))}
      {reports.notes.map(({ note, at }) => (
        <q class="line" key={at}>
          <bdi>{note}</bdi>
        </q>
      ))}
    </>
  );
}

export function OpenLink({ id, name }: { readonly id: string; readonly name: string }): JSX.Element {
  const { open } = useDesk();
  return (
    <button type="button" class="link" onClick={() => open(id)}>
      <bdi>{name}</bdi>
    </button>
  );
}

export interface DecideButtonProps {
  readonly decision: () => Promise<unknown>;
  /** What is said once it is done. */
  readonly done: string;
  readonly children: ComponentChildren;
}

/** A button that carries a decision out. */
export function DecideButton({ decision, done, children }: DecideButtonProps): JSX.Element {
  const { decide } = useDesk();
  const carryOut = async (): Promise<string> => {
    await decision();
    return done;
  };
  return (
    <button type="button" class="button" onClick={() => void decide(carryOut)}>
      {children}
    </button>
  );
}

export function DismissButton({ id }: { readonly id: string }): JSX.Element {
  const { api, texts } = useDesk();
  return (
    <DecideButton
      decision={() => api.delete(`reports/${encodeURIComponent(id)}`)}
      done={texts.done.dismissed}
    >
      {texts.actions.dismiss}
    </DecideButton>
  );
}

/** The patterns of a rule. */
export function RulePatterns({ rule }: { readonly rule: Schemas['Ban' | 'Label'] }): JSX.Element {
  const { texts } = useDesk();
  return (
    <>
      {(['id', 'address', 'host', 'name'] as const).map(
        (pattern) =>
          rule[pattern] !== undefined && (
            <span class="rule-pattern" key={pattern}>
              {pattern === 'id' ? (
                <OpenLink id={rule.id!} name={rule.id!} />
              ) : (
                <>
                  <span class="muted">{texts.rule.patterns[pattern]}</span> <bdi>{rule[pattern]}</bdi>
                </>
              )}
            </span>
          ),
      )}
    </>
  );
}

/** What a line of the audit says was done, without its author and time. */
export function AuditDeed({ line }: { readonly line: Schemas['AuditLine'] }): JSX.Element {
  const { texts } = useDesk();
  const { action, ban, label, server } = line;
  const rule = ban ?? label;
  return (
    <>
      {texts.lines[action] ?? action} {labelMarks(label && [label.label])}
      {rule && <RulePatterns rule={rule} />}
      {server && <OpenLink id={server.id} name={server.name ?? server.id} />}
      {rule?.reason && <bdi class="line">{rule.reason}</bdi>}
    </>
  );
}
