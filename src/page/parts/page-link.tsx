/** A link to the page in another state: opened in place, or by the browser if the reader wants a new tab. */

import type { ComponentChildren, JSX } from 'preact';
import type { PageState } from '../address/page-url.ts';
import { usePage } from './page-context.ts';

export interface PageLinkOptions {
  readonly to: Partial<PageState>;
  readonly children: ComponentChildren;
  readonly class?: string | undefined;
  readonly lang?: string | undefined;
  readonly 'aria-label'?: string;
  readonly 'aria-current'?: 'page' | 'true' | undefined;
}

export function PageLink({ to, children, ...attributes }: PageLinkOptions): JSX.Element {
  const { hrefOf, navigate } = usePage();
  const open = (event: MouseEvent): void => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a {...attributes} href={hrefOf(to)} onClick={open}>
      {children}
    </a>
  );
}

/** Whether no modifier key asks for a new tab, a new window or a download. */
export function isPlainClick({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return !ctrlKey && !metaKey && !shiftKey && !altKey;
}
