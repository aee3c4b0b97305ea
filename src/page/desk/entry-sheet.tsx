/** One entry: its facts, what it said before, its neighbours, what was refused to it, and what moderators did. */

import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { addressOf } from '../../model/address-of.ts';
import { encodeText } from '../address/page-url.ts';
import { Icon } from '../parts/icon.tsx';
import { labelMarks } from '../parts/label-marks.tsx';
import { usePage } from '../parts/page-context.ts';
import type { Schemas } from './desk-api.ts';
import { useDesk, usePolled } from './desk-context.ts';
import { AuditDeed, DismissButton, EntryState, LastProblem, OpenLink, VoicesSaid } from './desk-parts.tsx';

export function EntrySheet({ id }: { readonly id: string }): JSX.Element {
  const { texts, open } = useDesk();
  const page = usePage();
  const { answer, problem } = usePolled<Schemas['OneEntry']>(`servers/${encodeURIComponent(id)}`);
  const sheet = useRef<HTMLDialogElement>(null);
  const close = (): void => open(undefined);
  // The browser moves the focus into the dialog, and back when it is closed.
  useLayoutEffect(() => {
    const element = sheet.current!;
    element.show();
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={sheet}
      class="card desk-sheet"
      aria-label={texts.entry.title}
      onKeyDown={({ key }) => {
        if (key === 'Escape') close();
      }}
    >
      <div class="desk-sheet-head">
        <h2 tabIndex={-1} autoFocus>
          <bdi>{answer?.server.name ?? texts.entry.title}</bdi>
        </h2>
        <button type="button" class="icon-button" aria-label={page.texts.close} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <LastProblem problem={problem} />
      {answer && <EntryFacts answer={answer} />}
    </dialog>
  );
}

function EntryFacts({ answer }: { readonly answer: Schemas['OneEntry'] }): JSX.Element {
  const { texts, formats, find } = useDesk();
  const { server, said, neighbours, audit } = answer;
  const { refusals, reports, players_seen: seen } = server;
  const words = texts.entry;
  const time = (at: string): string => formats.dateTime(Date.parse(at));
  const facts: Readonly<Record<string, ComponentChildren>> = {
    [words.state]: (
      <>
        <EntryState entry={server} />
        {server.claimed && `, ${texts.claimed}`}
      </>
    ),
    [words.labels]: labelMarks(server.labels),
    [words.address]: (
      <>
        <bdi>{addressOf(server.host, server.port)}</bdi> <bdi class="muted">{server.ip}</bdi>
      </>
    ),
    [words.client]: server.client,
    [words.network]: server.network,
    [words.players]: `${formats.number(server.players)} / ${formats.number(server.max_players)}`,
    [words.seen]: seen === undefined ? seen : `${formats.number(seen)}, ${time(server.players_seen_at!)}`,
    [words.verified]: server.not_reached ?? server.reachability,
    [words.since]: time(server.registered_at),
    [words.id]: <code>{server.id}</code>,
    [words.reports]: reports && <VoicesSaid reports={reports} />,
  };
  return (
    <>
      <Actions entry={server} />
      <dl class="desk-facts">
        {Object.entries(facts).map(
          ([name, content]) =>
            content !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{content}</dd>
              </div>
            ),
        )}
      </dl>
      {said.length > 0 && (
        <Part title={words.said}>
          {said.toReversed().map((each) => (
            <li key={each.at}>
              <bdi>{each.name}</bdi> <bdi class="muted">{addressOf(each.host, each.port)}</bdi>{' '}
              {words.until(time(each.at))}
            </li>
          ))}
        </Part>
      )}
      {(['network', 'host', 'name'] as const).map((kind) => {
        const { count, servers } = neighbours[kind];
        if (count === 0) return null;
        const wanted = { network: server.network, host: server.host, name: server.name }[kind];
        return (
          <Part title={`${words.neighbours[kind]} (${formats.number(count)})`} key={kind}>
            {servers.map((each) => (
              <li key={each.id}>
                <OpenLink id={each.id} name={each.name ?? each.id} />
              </li>
            ))}
            <li>
              <button type="button" class="link" onClick={() => find(`${kind}=${encodeText(wanted ?? '')}`)}>
                {words.showAll}
              </button>
            </li>
          </Part>
        );
      })}
      {refusals.length > 0 && (
        <Part title={words.refusals}>
          {refusals.map(({ code, count }) => (
            <li key={code}>{words.times(code, count)}</li>
          ))}
        </Part>
      )}
      {audit.length > 0 && (
        <Part title={words.audit}>
          {audit.map((line) => (
            <li key={`${line.at}${line.action}`}>
              <span class="muted">{time(line.at)}</span> <bdi>{line.author || texts.auto}</bdi>{' '}
              <AuditDeed line={line} />
            </li>
          ))}
        </Part>
      )}
    </>
  );
}

function Actions({ entry }: { readonly entry: Schemas['Entry'] }): JSX.Element {
  const { api, texts, draft, decide, open } = useDesk();
  const [isSure, setSure] = useState(false);
  const path = encodeURIComponent(entry.id);
  const remove = (): Promise<void> =>
    decide(async () => {
      await api.delete(`servers/${path}`);
      open(undefined);
      return texts.done.removed;
    });
  return (
    <div class="in-lines desk-actions">
      <button type="button" class="button is-main" onClick={() => draft({ kind: 'ban', entry })}>
        {texts.actions.ban}
      </button>
      <button type="button" class="button" onClick={() => draft({ kind: 'label', entry })}>
        {texts.actions.label}
      </button>
      {entry.reports && <DismissButton id={entry.id} />}
      <button
        type="button"
        class="button"
        onBlur={() => setSure(false)}
        onClick={() => (isSure ? void remove() : setSure(true))}
      >
        {isSure ? texts.actions.removeSure : texts.actions.remove}
      </button>
    </div>
  );
}

function Part({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="desk-part">
      <h3>{title}</h3>
      <ul class="unmarked">{children}</ul>
    </section>
  );
}
