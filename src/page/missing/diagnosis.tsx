/**
 * The service's diagnosis of a missing server: the cause and the next step first, then all checks. It is in English,
 * and holds words of others: a name, the reason of a ban. All of it is rendered as text.
 */

import type { JSX } from 'preact';
import type { Answers } from '../connection/get-json.ts';
import { addressOf } from '../../model/address-of.ts';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';

type Diagnosis = Answers['Diagnosis'];

const SIGNS = { fine: '✓', wrong: '✗', unknown: '?' } as const;

/** The part that is read aloud at once. */
export function CauseLine({ diagnosis }: { readonly diagnosis: Diagnosis }): JSX.Element {
  const { texts } = usePage();
  return (
    <>
      <p class={`missing-cause is-${diagnosis.listed ? 'fine' : 'wrong'}`} lang="en">
        {diagnosis.says}
      </p>
      <p class="missing-next">
        <b>{texts.missing.next}</b>
        <span lang="en">{diagnosis.next_step}</span>
      </p>
    </>
  );
}

export function Findings({ diagnosis }: { readonly diagnosis: Diagnosis }): JSX.Element {
  const { missing, details } = usePage().texts;
  const { client_address: address, entry, checks } = diagnosis;
  return (
    <div class="missing-findings">
      <dl>
        <dt>{missing.seenAt}</dt>
        <dd>
          <bdi>{address}</bdi>
        </dd>
        {entry !== undefined && (
          <>
            <dt>{details.title}</dt>
            <dd>
              <Entry entry={entry} isListed={diagnosis.listed} />
            </dd>
          </>
        )}
      </dl>
      <h3>{missing.checks}</h3>
      <ul class="unmarked">
        {checks.map(({ code, result, says }) => (
          <li class={`is-${result}`} key={code}>
            <span aria-hidden="true">{SIGNS[result]}</span>
            <span class="visually-hidden">{missing.result[result]}</span> <span lang="en">{says}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface EntryOptions {
  readonly entry: NonNullable<Diagnosis['entry']>;
  readonly isListed: boolean;
}

/** The entry, with a link to its details if the page has them. */
function Entry({ entry: { id, name, ip, port }, isListed }: EntryOptions): JSX.Element {
  const to = { isMissingOpen: false, serverId: id, view: 'list' } as const;
  return (
    <>
      {isListed ? (
        <PageLink to={to}>
          <bdi>{name}</bdi>
        </PageLink>
      ) : (
        <bdi>{name}</bdi>
      )}{' '}
      <bdi class="muted">{addressOf(ip, port)}</bdi>
    </>
  );
}
