/**
 * A service with the page for people: its listener alone, on a free port. What draws the page is that of the build, and
 * its files are those that a test has made.
 */

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createConfig } from '../../src/service/config/config.ts';
import { createLifetime } from '../../src/registry/lifetime.ts';
import { MemoryRegistry } from '../../src/registry/memory/memory-registry.ts';
import type { Backend } from '../../src/registry/backend.ts';
import { createListener } from './create-listener.ts';
import { type ServiceContextOptions } from '../../src/service/service-context.ts';
import { listen } from './listen.ts';
import { ROOT } from './program.ts';
import { silentLogger } from './start-test-service.ts';

/** As the build of the page leaves them, and two that are not for browsers. */
export const PAGE_FILES: Readonly<Record<string, string>> = {
  'files.json':
    '{"script":"main-AAAAAAAA.js","style":"main-BBBBBBBB.css","worker":"worker-CCCCCCCC.js","theme":"theme-EEEEEEEE.js"}',
  'main-AAAAAAAA.js': 'script();',
  'main-BBBBBBBB.css': 'body {}',
  'worker-CCCCCCCC.js': 'worker();',
  'theme-EEEEEEEE.js': 'theme();',
  'chunk-DDDDDDDD.js': 'chunk();',
  'embed.js': 'embed();',
  'start.js': 'start();',
  'LICENSES.txt': Array.from({ length: 500 }, (_, i) => `${i}. MIT, of ${i * i}`).join('\n'),
  'connect.js': 'compiled();',
  'main-AAAAAAAA.js.map': '{}',
};

export interface UsedBrowse {
  readonly url: string;
  /** What the service reads and writes; a test may replace its methods. */
  readonly registry: Backend;
}

let pageFolder: URL | undefined;

/** The folder with these files: one for the process, so that what draws the page is loaded once. */
function openPageFolder(): URL {
  if (pageFolder !== undefined) return pageFolder;
  const folder = mkdtempSync(join(tmpdir(), 'gsls-page-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(PAGE_FILES)) writeFileSync(join(folder, name), text);
  copyFileSync(join(ROOT, 'dist/page/plain.mjs'), join(folder, 'plain.mjs'));
  pageFolder = pathToFileURL(`${folder}/`);
  return pageFolder;
}

/** Call it in a describe block: it is there for each test anew. */
export function useBrowse(
  environment: Readonly<Record<string, string>> = {},
  parts: Partial<ServiceContextOptions> = {},
): UsedBrowse {
  let server: Server;
  let memory: MemoryRegistry;
  let replaceable: Backend;
  beforeEach(async () => {
    const lifetime = createLifetime(60_000);
    memory = new MemoryRegistry({ lifetime, uniqueAddress: false });
    const replaced: Partial<Record<keyof Backend, unknown>> = {};
    replaceable = new Proxy(memory, {
      get: (target, name) => {
        const value: unknown = replaced[name as keyof Backend] ?? Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
      set: (_, name, value) => {
        replaced[name as keyof Backend] = value;
        return true;
      },
    });
    const config = createConfig({ flags: {}, environment, readFile: () => '' });
    const given = { config, registry: replaceable, lifetime, logger: silentLogger };
    server = createServer(createListener({ ...given, pageFolder: openPageFolder(), ...parts }));
    await listen(server, '127.0.0.1', 0);
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await memory.close();
  });
  return {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    get registry() {
      return replaceable;
    },
  };
}
