/**
 * The documents about the API: its description for programs, and the page that shows it. What makes them is loaded for the
 * first request that asks for it: a service that is not asked starts no later for them. Knows nothing of what they say.
 */

import { Body } from '../work/body.ts';
import type { Turns } from '../work/turns.ts';
import { OWN } from '../work/work.ts';
import { createBodyAnswers } from '../http/body-answers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { createFiles, once, served } from '../http/served-files.ts';

export interface DocumentsOptions {
  /** Makes the description. Called once there are routes, the documents among them. */
  readonly describe: () => Promise<object>;
  /** Whether readers need a key: then no shared cache may store the documents. */
  readonly isPrivate: boolean;
  readonly turns: Turns;
}

/** `description`: that of the API. `page`: what shows it, and the files that the page loads. */
export type Documents = Readonly<Record<'description' | 'page' | 'pageFile', Endpoint>>;

export function createDocuments({ describe, isPrivate, turns }: DocumentsOptions): Documents {
  const answerWith = createBodyAnswers(
    { cacheControl: isPrivate ? 'private, no-cache' : 'no-cache' },
    turns,
    { asker: OWN },
  );
  const description = once(async () => new Body(Buffer.from(JSON.stringify(await describe()))));
  const viewer = once(async () => {
    const { openViewer } = await import('./viewer.ts');
    return openViewer();
  });
  const page = once(async () => served((await viewer()).page));

  return {
    async description(request) {
      return answerWith(await description(), request);
    },
    async page(request) {
      const { body, headers } = await page();
      return answerWith(body, request, () => headers);
    },
    pageFile: createFiles(async () => (await viewer()).files, { answerWith, isPrivate }),
  };
}
