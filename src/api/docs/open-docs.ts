/**
 * The room of the documents about the API: its description for programs, and the page that shows it. The code that
 * makes them is loaded at the first request for one, so that they do not delay the start of a service.
 */

import { Body } from '../work/body.ts';
import { OWN } from '../work/work.ts';
import { createBodyAnswers } from '../http/body-answers.ts';
import type { Context, Room } from '../http/context.ts';
import { describedIn, type RequestKind } from '../http/route.ts';
import type { Routes } from '../http/routes.ts';
import { createFiles, served } from '../http/served-files.ts';
import { once } from '../work/once.ts';
import type { ApiOptions } from './openapi/operation.ts';

/** The options on which the description of the API depends, beside the limits. */
export type DocsRoomOptions = Omit<ApiOptions, 'limitedKinds' | 'shedsLoad'>;

export interface DocsContext extends Context {
  readonly options: DocsRoomOptions;
  /** All routes of the port, these among them. */
  readonly routes: () => Pick<Routes, 'table'>;
  readonly limitedKinds: readonly RequestKind[];
  readonly shedsLoad: boolean;
}

const READING = { method: 'GET', access: 'read', input: 'nothing', cors: 'nothing' } as const;

const describe = describedIn(() => import('./operations.ts'));

export function openDocs(context: DocsContext): Room {
  const { options, routes, limitedKinds, shedsLoad, turns, isPrivate } = context;
  const answerWith = createBodyAnswers(
    { caching: { 'Cache-Control': isPrivate ? 'private, no-cache' : 'no-cache' } },
    turns,
    { asker: OWN },
  );
  const description = once(async () => {
    const { createDocument } = await import('./document.ts');
    const document = await createDocument(routes(), { ...options, limitedKinds, shedsLoad });
    return new Body(Buffer.from(JSON.stringify(document)), { isFixed: true });
  });
  const viewer = once(async () => {
    const { openViewer } = await import('./viewer.ts');
    return openViewer();
  });
  const page = once(async () => served((await viewer()).page));

  return {
    routes: [
      {
        ...READING,
        path: '/openapi.json',
        cors: 'reading',
        endpoint: async (request) => answerWith(await description(), request),
        describe: describe('openapi'),
      },
      {
        ...READING,
        path: '/docs',
        async endpoint(request) {
          const { body, headers } = await page();
          return answerWith(body, request, () => headers);
        },
        describe: describe('docs'),
      },
      {
        ...READING,
        path: '/docs/{file}',
        endpoint: createFiles(async () => (await viewer()).files, { answerWith, isPrivate }),
        describe: describe('docsFile'),
      },
    ],
  };
}
