/** What the servers are: the regions, modes, maps and versions with the most servers, each a link to these servers. */

import type { JSX } from 'preact';
import { encodeText } from '../page-url.ts';
import { useFormats, useTexts } from './page-context.ts';
import { PageLink } from './page-link.tsx';
import type { Stats } from './use-stats.ts';

/** So many values are named. */
const MOST = 8;
const FACETS = ['region', 'mode', 'map', 'version'] as const;
type Facet = (typeof FACETS)[number];

export function ValueTables({ stats }: { readonly stats: Stats | undefined }): JSX.Element {
  return (
    <div class="value-tables">
      {FACETS.map((facet) => (
        <ValueTable facet={facet} stats={stats} key={facet} />
      ))}
    </div>
  );
}

function ValueTable({
  facet,
  stats,
}: {
  readonly facet: Facet;
  readonly stats: Stats | undefined;
}): JSX.Element {
  const { statistics: texts } = useTexts();
  const { number } = useFormats();
  const values = stats?.[`${facet}s`] ?? [];
  const others = values
    .slice(MOST)
    .reduce(
      (sum, { servers, players }) => ({ servers: sum.servers + servers, players: sum.players + players }),
      stats?.[`other_${facet}s`] ?? { servers: 0, players: 0 },
    );
  const share = (servers: number): string => `${(100 * servers) / Math.max(1, stats?.servers ?? 0)}%`;
  return (
    <section>
      <h3 id={`overview-${facet}`}>{texts.facet[facet]}</h3>
      {stats !== undefined && values.length === 0 ? (
        <p>{texts.noValues[facet]}</p>
      ) : (
        <table aria-labelledby={`overview-${facet}`}>
          <thead>
            <tr>
              <th scope="col">{texts.facetValue[facet]}</th>
              <th scope="col">{texts.numberOf.servers}</th>
              <th scope="col">{texts.numberOf.players}</th>
            </tr>
          </thead>
          <tbody>
            {values.slice(0, MOST).map(({ value, servers, players }) => {
              const to = { view: 'list' as const, filters: [{ name: facet, rawValue: encodeText(value) }] };
              return (
                <tr key={value}>
                  <th scope="row">
                    <span class="share" style={{ inlineSize: share(servers) }} />
                    <PageLink to={to}>
                      <bdi>{value}</bdi>
                    </PageLink>
                  </th>
                  <td>{number(servers)}</td>
                  <td>{number(players)}</td>
                </tr>
              );
            })}
            {others.servers > 0 && (
              <tr>
                <th scope="row">
                  <span class="share" style={{ inlineSize: share(others.servers) }} />
                  <span>{texts.otherValues}</span>
                </th>
                <td>{number(others.servers)}</td>
                <td>{number(others.players)}</td>
              </tr>
            )}
          </tbody>
        </table>
      )}
    </section>
  );
}
