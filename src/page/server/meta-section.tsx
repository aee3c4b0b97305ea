/** The `meta` of a game server, below its fields, so that nothing in it looks like one of them. */

import type { JSX } from 'preact';
import type { MetaDescription, MetaEntry, MetaValue } from './describe-meta.ts';
import { usePage } from '../parts/page-context.ts';

export function MetaSection({ entries, hasMore }: MetaDescription): JSX.Element | null {
  const { texts } = usePage();
  if (entries.length === 0) return null;
  return (
    <section class="meta">
      <h3>{texts.details.more}</h3>
      <Entries entries={entries} hasMore={hasMore} />
    </section>
  );
}

function Entries({ entries, hasMore }: Pick<MetaDescription, 'entries' | 'hasMore'>): JSX.Element {
  const { texts } = usePage();
  return (
    <>
      <dl>
        {entries.map(({ label, value }: MetaEntry, index) => (
          <div key={index}>
            <dt>
              <bdi>{label}</bdi>
            </dt>
            <dd>
              <Value value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {hasMore && <p class="muted">{texts.details.andMore}</p>}
    </>
  );
}

function Value({ value }: { readonly value: MetaValue }): JSX.Element {
  const { state, texts } = usePage();
  switch (value.is) {
    case 'text':
      return <bdi>{value.text}</bdi>;
    case 'link':
      return (
        <a
          href={value.href}
          rel="noopener nofollow ugc"
          // Another site must not open in a frame of this one.
          target={state.isEmbedded ? '_blank' : undefined}
        >
          {value.host}
        </a>
      );
    case 'list':
      return (
        <ul class="unmarked">
          {value.values.map((each, index) => (
            <li key={index}>
              <Value value={each} />
            </li>
          ))}
          {value.hasMore && <li class="muted">{texts.details.andMore}</li>}
        </ul>
      );
    case 'group':
      break;
  }
  return <Entries {...value} />;
}
