/**
 * The page that shows the description of the API: Swagger UI, from files of its package that the build copies. The page
 * loads nothing from other hosts, so it works without the internet.
 *
 * Of the viewers that are kept up it is the one that needs no inline style, no inline script and no other host.
 */

import { readFile } from 'node:fs/promises';
import { BUILT } from '../../runtime/package-files.ts';
import { hashedName, type ServedFile, type ServedFiles } from '../http/served-files.ts';

export interface Viewer {
  readonly page: ServedFile;
  /** The files that the page loads, by names that change with their content. */
  readonly files: ServedFiles;
}

const FOLDER = new URL('swagger-ui/', BUILT);

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** The page may load only its own files, ask only this service, and show only pictures that are inside its style. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The validator is turned off because it is on another host. */
const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  validatorUrl: null,
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
});
`;

/** Addresses are relative, so that the page also works where a reverse proxy puts it behind a path. */
const pageOf = (style: string, scripts: readonly string[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>GSLS API</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="docs/${style}" />
  </head>
  <body>
    <div id="docs"></div>
    ${scripts.map((script) => `<script src="docs/${script}"></script>`).join('\n    ')}
  </body>
</html>
`;

/** Rejects if the program is not built. */
export async function openViewer(): Promise<Viewer> {
  const style = named('swagger-ui', 'css', await readFile(new URL('swagger-ui.css', FOLDER)));
  const bundle = named('swagger-ui-bundle', 'js', await readFile(new URL('swagger-ui-bundle.js', FOLDER)));
  const start = named('start', 'js', Buffer.from(START));
  const page = pageOf(style.name, [bundle.name, start.name]);
  return {
    page: {
      bytes: Buffer.from(page),
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': POLICY,
        'Referrer-Policy': 'no-referrer',
      },
    },
    files: new Map([style, bundle, start].map(({ name, ...file }) => [name, file])),
  };
}

function named(name: string, kind: 'css' | 'js', bytes: Buffer): ServedFile & { readonly name: string } {
  const type = kind === 'css' ? STYLE : SCRIPT;
  return { name: hashedName(name, kind, bytes), bytes, headers: { 'Content-Type': type } };
}
