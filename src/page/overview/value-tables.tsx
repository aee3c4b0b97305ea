/** The regions, modes, maps and versions with the most servers, each a link to these servers. */

import type { JSX } from 'preact';
import type { Answers } from '../connection/get-json.ts';
import { encodeText } from '../address/page-url.ts';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';
import { SERVICE_FACETS, type ServiceFacetName } from '../filters/use-facets.ts';

/** How many values are named, those with the most servers. */
const MOST = 8;

export function ValueTables({ stats }: { readonly stats: Answers['Stats'] | undefined }): JSX.Element {
  return (
    <div class="value-tables">
      {SERVICE_FACETS.map((facet) => (
        <ValueTable facet={facet} stats={stats} key={facet} />
      ))}
    </div>
  );
}

interface ValueTableOptions {
  readonly facet: ServiceFacetName;
  readonly stats: Answers['Stats'] | undefined;
}

function ValueTable({ facet, stats }: ValueTableOptions): JSX.Element {
  const { texts, formats } = usePage();
  const { statistics } = texts;
  const values = stats?.[`${facet}s`] ?? [];
  const others = values
    .slice(MOST)
    .reduce(
      (sum, { servers, players }) => ({ servers: sum.servers + servers, players: sum.players + players }),
      stats?.[`other_${facet}s`] ?? { servers: 0, players: 0 },
    );
  const rows = values.slice(0, MOST).map(({ value, ...counts }) => {
    const to = { view: 'list' as const, filters: [{ name: facet, rawValue: encodeText(value) }] };
    const label = (
      <PageLink to={to}>
        <bdi>{value}</bdi>
      </PageLink>
    );
    return { value, label, ...counts };
  });
  if (others.servers > 0) rows.push({ value: '', label: <span>{statistics.otherValues}</span>, ...others });
  const share = (servers: number): string => `${(100 * servers) / Math.max(1, stats?.servers ?? 0)}%`;
  return (
    <section>
      <h3 id={`overview-${facet}`}>{statistics.facet[facet]}</h3>
      {stats !== undefined && values.length === 0 ? (
        <p>{statistics.noValues}</p>
      ) : (
        <table aria-labelledby={`overview-${facet}`}>
          <thead>
            <tr>
              <th scope="col">{texts.columns[facet]}</th>
              <th scope="col">{statistics.numberOf.servers}</th>
              <th scope="col">{statistics.numberOf.players}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ value, label, servers, players }) => (
              <tr key={value}>
                <th scope="row">
                  <span class="share" style={{ inlineSize: share(servers) }} />
                  {label}
                </th>
                <td>{formats.number(servers)}</td>
                <td>{formats.number(players)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
