/**
 * The desk of moderators, `GET /desk`, and the files that it loads. They are the same for everybody and hold nothing of
 * the registry: what a moderator sees comes from /admin, which asks for a key.
 */

import { createBodyAnswers } from '../../api/http/body-answers.ts';
import type { Context, Room } from '../../api/http/context.ts';
import { describedIn, endpointsIn } from '../../api/http/route.ts';
import { createFiles } from '../../api/http/served-files.ts';
import { once } from '../../api/work/once.ts';
import { Body } from '../../api/work/body.ts';
import { OWN } from '../../api/work/work.ts';
import { readPageFiles, type PageFiles } from './page-files.ts';
import { createPageHeaders } from './page-headers.ts';

export interface DeskRoomContext extends Pick<Context, 'turns'> {
  readonly options: {
    /** Whether a proxy may sign moderators in. */
    readonly isProxied: boolean;
    /** The path of the registry among several, such as `racer/`; '' at the root. */
    readonly path: string;
  };
  /** The folder with the files of the page; undefined for the folder of the build. */
  readonly pageFolder?: URL | undefined;
}

const OPEN = { method: 'GET', access: 'open', input: 'nothing', cors: 'nothing' } as const;

const describe = describedIn(() => import('./operations.ts'));

export function openDesk({ options, turns, pageFolder: folder }: DeskRoomContext): Room {
  const endpoint = endpointsIn(async () => {
    const caching = { 'Cache-Control': 'no-cache' };
    const answerWith = createBodyAnswers({ caching }, turns, { asker: OWN });
    const headers = createPageHeaders([])(false);
    const files = once(() => readPageFiles({ folder }, 'public'));
    const page = once(async () => new Body(Buffer.from(documentOf(await files(), options))));
    const file = createFiles(async () => (await files()).all, { answerWith, isPrivate: false });
    return { desk: async (request) => answerWith(await page(), request, () => headers), file };
  });
  return {
    routes: [
      { ...OPEN, path: '/desk', endpoint: endpoint('desk'), describe: describe('desk') },
      { ...OPEN, path: '/desk/{file}', endpoint: endpoint('file'), describe: describe('deskFile') },
    ],
  };
}

function documentOf(
  { desk: { script, style }, icon }: Pick<PageFiles, 'desk' | 'icon'>,
  { isProxied, path }: DeskRoomContext['options'],
): string {
  const settings = JSON.stringify({ path }).replaceAll('"', '&quot;');
  return `<!doctype html>
<html lang="en" data-theme="auto" data-root="./" data-proxied="${isProxied}" data-settings="${settings}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Moderation desk</title>
<link rel="icon" href="desk/${icon}">
<link rel="stylesheet" href="desk/${style}">
<script type="module" src="desk/${script}"></script>
</head>
<body><div id="app"></div><noscript>This page needs its script.</noscript></body>
</html>
`;
}
