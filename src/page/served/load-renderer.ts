/** The renderer of the page, which the build puts among the files of the page. It is not for browsers. */

import type { PlainRenderer } from '../plain/renderer.ts';

/** `folder`: that of the files of the page. */
export async function loadRenderer(folder: URL): Promise<PlainRenderer> {
  const { default: renderer } = (await import(new URL('plain.mjs', folder).href)) as {
    readonly default: PlainRenderer;
  };
  return renderer;
}
