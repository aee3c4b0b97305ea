/** What a person writes into a page of their own, so that it shows how full the server is. */

import type { JSX } from 'preact';
import type { ListedServer } from '../../model/view/listed-server.ts';
import { serviceUrl } from '../connection/service-url.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { usePage } from '../parts/page-context.ts';

export function Embed({ server: { id, name } }: { readonly server: ListedServer }): JSX.Element {
  const { copied, details } = usePage().texts;
  const at = encodeURIComponent(id);
  const alt = name.replaceAll(/[&<>"]/g, (character) => `&#${character.codePointAt(0)!};`);
  const snippet = `<a href="${serviceUrl(`browse/${at}`)}"><img src="${serviceUrl(`servers/${at}/badge.svg`)}" alt="${alt}"></a>`;
  return (
    <details class="embed">
      <summary>{details.embed}</summary>
      <p class="muted">{details.embedHint}</p>
      <pre dir="ltr">{snippet}</pre>
      <CopyButton text={snippet} label={details.copyCode} shown={details.copyCode} said={copied} />
    </details>
  );
}
