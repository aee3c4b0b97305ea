/** The title of a server, also in the tab of the browser. */

import { useEffect } from 'preact/hooks';
import { usePage } from '../parts/page-context.ts';

/** `name`: undefined until it is known. */
export function useServerTitle(name: string | undefined): string {
  const { settings, texts } = usePage();
  const title = name ?? texts.details.title;
  useEffect(() => {
    const before = document.title;
    document.title = `${title} – ${settings.title}`;
    return () => {
      document.title = before;
    };
  }, [title, settings.title]);
  return title;
}
