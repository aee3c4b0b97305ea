/**
 * The commands of all documents, as they are pasted: each is read as a shell does, and held to the options, scripts,
 * files, versions and paths that there are. Starts no program; those that can be run are run in test/stack/docs.
 */

import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { expect } from 'chai';
import { ADMIN_KEY, checkCommand, checkNames, PROGRAMS, type Place } from '../support/check-command.ts';
import { codeOf, readDocument, type Code } from '../support/markdown.ts';
import { commandsIn, type ShellCommand } from '../support/shell-commands.ts';
import { startTestService } from '../support/start-test-service.ts';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'examples/README.md',
  'clients/README.md',
  'bench/RESULTS.md',
  ...readdirSync('docs').flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

/** Files whose comments show commands, each on a line of its own. */
const COMMENTED = [
  'docker-compose.yml',
  'Dockerfile',
  'deploy/haproxy.cfg',
  'deploy/systemd/gsls.service',
  ...readdirSync('examples').flatMap((name) => (/\.(py|mjs|cs)$/.test(name) ? [`examples/${name}`] : [])),
];

/** In cmd.exe the commands of the documents mean the same: test/docs/front-page.test.ts holds them to that. */
const SHELLS = ['sh', 'bash', 'bat', 'console', 'shell'];

/** Blocks that no shell reads. */
const OTHERS = ['haproxy', 'html', 'http', 'js', 'json', 'mermaid', 'nginx', 'text', 'ts', 'yaml'];

const startsWithProgram = new RegExp(`^(${PROGRAMS.join('|')}) `);

/** Code that a shell reads: blocks, and code in a line that is a command with all of its words. */
function isForShell({ language, text }: Code): boolean {
  return language === undefined ? startsWithProgram.test(text) && !/…/.test(text) : SHELLS.includes(language);
}

function commentsOf(text: string): Code[] {
  return text.split('\n').flatMap((line, index) => {
    const [, comment = ''] = /^ *(?:#|\/\/|\*)? *(.*)$/.exec(line)!;
    // Words of explanation stand behind the command, after a gap; optional ones in brackets.
    const [command] = comment.replaceAll(/ \[[^\]]*\]/g, '').split('   ');
    const isCommand = startsWithProgram.test(comment) && /^ *(#|\/\/|\*| {4}\S)/.test(line);
    return isCommand ? [{ language: undefined, text: command!, line: index + 1 }] : [];
  });
}

describe('the commands of the documents', () => {
  let close: () => Promise<unknown>;
  let services: Pick<Place, 'service' | 'ops'>;

  before(async () => {
    const environment = {
      GSLS_ADMIN_KEY: ADMIN_KEY,
      GSLS_ALLOW_UNLISTED: 'true',
      GSLS_BEACONS: '{"fra":"https://fra.example.com","nyc":"https://nyc.example.com"}',
    };
    const service = await startTestService(environment);
    const operated = await startTestService({ ...environment, GSLS_OPS_PORT: '0' });
    services = { service, ops: { url: operated.opsUrl! } };
    close = () => Promise.all([service.close(), operated.close()]);
  });
  after(() => close());

  /** One line for each command that would fail as it stands. */
  async function complaintsAbout(path: string, code: readonly Code[]): Promise<string[]> {
    const complaints: string[] = [];
    const onPage: ShellCommand[] = [];
    const variables = new Map([['GSLS_ADMIN_KEY', ADMIN_KEY]]);
    for (const { text, line, language } of code) {
      const isInline = language === undefined;
      const inBlock: ShellCommand[] = [];
      try {
        // A word to be replaced, such as <id>, is a word.
        const script = isInline ? text.replaceAll(/<(\w+)>/g, '$1') : text;
        for (const command of commandsIn(script, variables)) {
          const folder = posix.dirname(path) === 'examples' ? 'examples' : '.';
          await checkCommand(command, { folder, inBlock, onPage, isInline, ...services });
          if (isInline) continue;
          inBlock.push(command);
          onPage.push(command);
        }
      } catch (error) {
        complaints.push(`${path}:${line}: ${(error as Error).message}`);
      }
    }
    return complaints;
  }

  for (const path of PAGES)
    it(`of ${path} can be pasted`, async () => {
      expect(await complaintsAbout(path, codeOf(readDocument(path)).filter(isForShell))).to.deep.equal([]);
    });

  for (const path of PAGES)
    it(`of ${path} are beside examples with variables and versions that exist`, () => {
      for (const { text, line, language } of codeOf(readDocument(path))) {
        if (language !== undefined) expect([...SHELLS, ...OTHERS], `${path}:${line}`).to.include(language);
        if (language !== undefined || text.startsWith('GSLS_'))
          expect(() => checkNames(text), `${path}:${line}`).not.to.throw();
      }
    });

  for (const path of COMMENTED)
    it(`in the comments of ${path} can be pasted`, async () => {
      expect(await complaintsAbout(path, commentsOf(readDocument(path)))).to.deep.equal([]);
    });
});
