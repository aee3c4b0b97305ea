/** Tells the page around this one how tall this one is; embed.js there makes the frame as tall. */

import { useEffect } from 'preact/hooks';

/** Of some 25 rows. A longer list is scrolled within the frame. */
const MOST_PX = 1200;
/** What the details of a server need. */
const DETAILS_PX = 480;

/** `hasDetails`: whether one server is shown over the list. */
export function useFrameHeight(isEmbedded: boolean, hasDetails: boolean): void {
  useEffect(() => {
    if (!isEmbedded || window.parent === window) return undefined;
    const content = document.getElementById('app')!;
    // Any page may frame this one that the service lets: the height is no secret.
    const tell = (): void => {
      const height = Math.max(content.offsetHeight, hasDetails ? DETAILS_PX : 0);
      window.parent.postMessage({ type: 'gsls:height', height: Math.min(height, MOST_PX) }, '*');
    };
    const answer = ({ source, data }: MessageEvent<{ readonly type?: unknown } | null>): void => {
      if (source === window.parent && data?.type === 'gsls:height') tell();
    };
    const resized = new ResizeObserver(tell);
    resized.observe(content);
    addEventListener('message', answer);
    return () => {
      resized.disconnect();
      removeEventListener('message', answer);
    };
  }, [isEmbedded, hasDetails]);
}
