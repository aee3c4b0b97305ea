/** The regions, modes, maps and versions with the most servers, each a link to these servers. */

import type { JSX } from 'preact';
import { encodeText } from '../address/page-url.ts';
import { SERVICE_FACETS, type ServiceFacetName } from '../filters/use-facets.ts';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';
import { RegionMark } from '../parts/regions.tsx';
import { othersOf, type Numbers } from './numbers.ts';

/** How many values are named, those with the most servers. */
export const MOST_VALUES = 8;

export function ValueTables({ numbers }: { readonly numbers: Numbers | undefined }): JSX.Element {
  return (
    <div class="value-tables">
      {SERVICE_FACETS.map((facet) => (
        <ValueTable facet={facet} numbers={numbers} key={facet} />
      ))}
    </div>
  );
}

interface ValueTableOptions {
  readonly facet: ServiceFacetName;
  readonly numbers: Numbers | undefined;
}

function ValueTable({ facet, numbers }: ValueTableOptions): JSX.Element {
  const { texts, formats, regionName } = usePage();
  const { statistics } = texts;
  const values = numbers?.values(facet) ?? [];
  const rows = values.map(({ value, ...counts }) => {
    const to = { view: 'list' as const, filters: [{ name: facet, rawValue: encodeText(value) }] };
    const label = (
      <PageLink to={to}>
        {facet === 'region' ? <RegionMark region={value} name={regionName(value)} /> : <bdi>{value}</bdi>}
      </PageLink>
    );
    return { value, label, ...counts };
  });
  const others = numbers && othersOf(numbers.totals, values);
  if (others !== undefined && others.servers > 0)
    rows.push({ value: '', label: <span class="muted">{statistics.otherValues}</span>, ...others });
  const share = (servers: number): string =>
    `${(100 * servers) / Math.max(1, numbers?.totals.servers ?? 0)}%`;
  return (
    <section class="card">
      <h3 id={`overview-${facet}`}>{statistics.facet[facet]}</h3>
      {numbers !== undefined && values.length === 0 ? (
        <p class="muted">{statistics.noValues}</p>
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
                  {label}
                  <span class="share" style={{ inlineSize: share(servers) }} />
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
