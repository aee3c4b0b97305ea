/** What the operator says of a server: marks with words. */

import type { JSX } from 'preact';

export function labelMarks(labels: readonly string[] | undefined): readonly JSX.Element[] | undefined {
  return labels?.map((label) => (
    <bdi class="label" key={label}>
      {label}
    </bdi>
  ));
}
