/**
 * A script for pages that embed the list: it makes each frame of the page as tall as the page in it reports. It accepts
 * only messages from these frames.
 */

const LEAST_PX = 100;
const MOST_PX = 5000;

// The page is `…/browse`, and this script `…/browse/embed.js`.
const page = new URL('.', (document.currentScript as HTMLScriptElement).src);
const address = page.href.slice(0, -1);

function frames(): HTMLIFrameElement[] {
  return [...document.querySelectorAll('iframe')].filter(({ src }) => src.split(/[?#]/, 1)[0] === address);
}

addEventListener('message', ({ data, origin, source }: MessageEvent<unknown>) => {
  if (origin !== page.origin || typeof data !== 'object' || data === null) return;
  const { type, height } = data as { readonly type?: unknown; readonly height?: unknown };
  if (type !== 'gsls:height' || typeof height !== 'number' || !Number.isFinite(height)) return;
  const frame = frames().find(({ contentWindow }) => contentWindow === source);
  if (frame !== undefined) frame.style.height = `${Math.min(Math.max(height, LEAST_PX), MOST_PX)}px`;
});

// A frame that was there before this script has reported its height already, so it is asked again.
for (const { contentWindow } of frames()) contentWindow?.postMessage({ type: 'gsls:height' }, '*');
