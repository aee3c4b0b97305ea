/** What the operator says of a server: marks with words. */

import type { JSX } from 'preact';

export function Labels({ labels = [] }: { readonly labels?: readonly string[] | undefined }): JSX.Element {
  return (
    <>
      {labels.map((label) => (
        <bdi class="label" key={label}>
          {label}
        </bdi>
      ))}
    </>
  );
}
