/** How many servers and players there are now. */

import type { JSX } from 'preact';
import { usePage } from '../parts/page-context.ts';
import type { Numbers } from './numbers.ts';

/** `numbers`: undefined before they are known. */
export function NumbersNow({ numbers }: { readonly numbers: Numbers | undefined }): JSX.Element {
  const { texts, formats } = usePage();
  const { numberOf, now } = texts.statistics;
  const { servers, players, places, empty, full } = numbers?.totals ?? {};
  return (
    <section class="card" aria-label={now}>
      <dl class="numbers-now">
        {Object.entries({ players, servers, places, full, empty }).map(([name, value]) => (
          <div key={name}>
            <dt>{numberOf[name as keyof typeof numberOf]}</dt>
            <dd>{value === undefined ? '–' : formats.number(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
