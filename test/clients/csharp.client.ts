/** The client for C# beside what the kit judges: how it is compiled, and what is in its package. */

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { metaFiles, presentMetas, UNITY_PACKAGE } from '../../scripts/unity-meta.ts';
import { ask } from '../support/ask.ts';
import type { ListedBody } from '../support/builders.ts';
import { codeOf, linksOf, readDocument } from '../support/markdown.ts';
import { needs } from '../support/needs.ts';
import { until } from '../support/until.ts';
import { useDirectory } from '../support/use-directory.ts';
import { useService } from '../support/use-service.ts';
import { compileCSharp, CSHARP, CSHARP_SUPPORT } from './support/csharp.ts';
import { judgeClient } from './support/judge-client.ts';

const README = 'clients/csharp/README.md';
const textOf = (path: string): string => readFileSync(join(UNITY_PACKAGE, path), 'utf8');
const RUNTIME = readdirSync(join(UNITY_PACKAGE, 'Runtime'));
const SOURCES = RUNTIME.filter((name) => name.endsWith('.cs'));

describe('the package of the client for C#', () => {
  it('has a .meta file for each file and folder that Unity sees, and no other', () => {
    expect(presentMetas()).to.have.members([...metaFiles().keys()]);
  });

  it('has GUIDs that follow from the paths, so that each is there once', () => {
    const guids = new Set<string>();
    for (const [path, text] of metaFiles()) {
      expect(textOf(path), 'run npx tsx scripts/unity-meta.ts').to.equal(text);
      const [, guid] = /^guid: ([\da-f]{32})$/m.exec(text)!;
      expect(guids.has(guid!), path).to.equal(false);
      guids.add(guid!);
    }
  });

  it('has the version of the service that it comes with, and samples that are there', () => {
    const { version, samples } = JSON.parse(textOf('package.json')) as {
      readonly version: string;
      readonly samples: readonly { readonly path: string }[];
    };
    const service = JSON.parse(readDocument('package.json')) as { readonly version: string };
    expect(service.version).to.equal(version);
    expect(textOf('CHANGELOG.md')).to.include(`## ${version}\n`);
    expect(readDocument(README)).to.include(`Version ${version};`);
    const folders = readdirSync(join(UNITY_PACKAGE, 'Samples~')).map((name) => `Samples~/${name}`);
    expect(samples.map(({ path }) => path)).to.deep.equal(folders);
  });

  it('has the licence of the project', () => {
    expect(textOf('LICENSE')).to.equal(readDocument('LICENSE'));
  });

  it('uses no reflection, which IL2CPP strips, and nothing that is made at run time', () => {
    const forbidden =
      /System\.Reflection|\.Emit\b|\bdynamic\b|\btypeof\b|GetType\(|Activator|Serializer|Expression\b/;
    for (const name of SOURCES) expect(textOf(`Runtime/${name}`), name).not.to.match(forbidden);
  });

  it('has a comment on each type and member that is public', () => {
    for (const name of SOURCES) {
      const lines = textOf(`Runtime/${name}`).split('\n');
      let isPublic = false;
      for (const [index, line] of lines.entries()) {
        // Of a type in the namespace: whether its members count.
        if (/^ {4}(public|internal)\b/.test(line)) isPublic = line.startsWith('    public');
        const isMember = isPublic && /^ {4}( {4})?public /.test(line);
        if (isMember) expect(lines[index - 1], `${name}:${index + 1}`).to.match(/^ *\/\/\/ /);
      }
    }
  });

  it('has links to documents that are there', () => {
    for (const link of linksOf(readDocument(README)))
      if (!link.includes('://')) expect(() => textOf(link.replace(/#.*/, '')), link).not.to.throw();
  });
});

needs(...CSHARP.needs).describe('the client for C#', function () {
  this.timeout(120_000);
  const newPath = useDirectory();
  const service = useService();
  const moderated = useService({ GSLS_ADMIN_KEY: 'key-of-moderators', GSLS_REPORT_REASONS: 'cheating' });

  /** Each program of the README, with the address of a service that listens. */
  const programs = (): string[] =>
    codeOf(readDocument(README))
      .filter(({ language }) => language === 'cs')
      .map(({ text }) => text.replaceAll('http://localhost:53600', service.url));

  const listed = async (): Promise<readonly ListedBody[]> => (await ask(service, 'GET /')).body.servers!;

  interface Game {
    readonly process: ChildProcess;
    readonly log: () => string;
    readonly end: () => Promise<number | null>;
  }

  async function run(text: string): Promise<Game> {
    const out = newPath();
    writeFileSync(`${out}.cs`, text);
    await compileCSharp({ sources: [`${out}.cs`], out });
    const game = spawn('mono', [out]);
    let log = '';
    for (const stream of [game.stdout, game.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => (log += piece));
    return {
      process: game,
      log: () => log,
      async end() {
        game.stdin.end('\n');
        const [code] = (await once(game, 'close')) as [number | null];
        return code;
      },
    };
  }

  it('keeps a game server listed, in the lines of the README', async () => {
    const game = await run(programs()[0]!);
    await until(() => game.log().includes('The game server is listed as '));
    expect((await listed())[0]).to.include({ name: 'Frankfurt 1', host: 'eu1.example.com', ip: '127.0.0.1' });
    expect(await game.end(), game.log()).to.equal(0);
    expect(await listed()).to.deep.equal([]);
  });

  it('is off the list once its process has ended, by itself or by a signal, as the README says', async () => {
    const [main, signals] = programs();
    const waits = 'Console.ReadLine(); // the game goes on';
    expect(main).to.include(waits);
    const ways: readonly (readonly [string, (game: Game) => void])[] = [
      [main!.replace(waits, 'System.Threading.Thread.Sleep(2000); Environment.Exit(0);'), () => undefined],
      [
        `using System.Threading; using Mono.Unix; using Mono.Unix.Native;\n${main!.replace(waits, `${signals!}\n${waits}`)}`,
        (game) => game.process.kill('SIGTERM'),
      ],
    ];
    for (const [text, endIt] of ways) {
      const game = await run(text);
      await until(() => game.log().includes('The game server is listed as '));
      const closed = once(game.process, 'close');
      endIt(game);
      expect(await closed, game.log()).to.deep.equal([0, null]);
      expect(game.log()).to.match(/^GSLS: The game server left the list, and the id \S+ is given up\.$/m);
      expect(await listed()).to.deep.equal([]);
    }
  });

  it('reads the list, in the lines of the README', async () => {
    await service.broadcast({ server_name: 'Zürich 東京 🎮', region: 'eu', players: 1 });
    await service.broadcast({ server_name: 'Elsewhere', region: 'na' });
    const launcher = await run(programs()[2]!);
    await until(() => launcher.log().includes('1 servers\n'));
    await service.broadcast({ server_name: 'New', region: 'eu' });
    await until(() => launcher.log().includes('2 servers\n'));
    expect(await launcher.end()).to.equal(0);
    expect(launcher.log()).to.equal('Zürich 東京 🎮 1/16\n1 servers\n2 servers\n');
  });

  it('has the labels of a game server, and reports it', async () => {
    const program = `
using System; using GameServerListing;
static class Program
{
    static void Main()
    {
        foreach (var server in Gsls.FindAsync("${moderated.url}", "sort=name").Result.Servers)
        {
            Console.WriteLine(server.Name + ": " + string.Join(",", server.Labels));
            Gsls.ReportAsync("${moderated.url}", server.Id, "cheating").Wait();
        }
        try { Gsls.ReportAsync("${moderated.url}", "a", "cheating").Wait(); }
        catch (AggregateException error)
        {
            var failure = (GslsException)error.InnerException;
            Console.WriteLine(failure.Status + " " + failure.Code);
        }
    }
}`;
    const id = await moderated.broadcast({ server_name: 'A' });
    await moderated.broadcast({ server_name: 'B' });
    const headers = { Authorization: 'Bearer key-of-moderators' };
    await ask(moderated, 'POST /admin/labels', { headers, body: { id, label: 'official' } });
    const launcher = await run(program);
    expect(await launcher.end()).to.equal(0);
    expect(launcher.log()).to.equal('A: official\nB: \n404 unknown_server\n');
    expect((await ask(moderated, 'GET /admin/reports', { headers })).text).to.include(id);
  });

  it('compiles for Unity, samples and all, against stand-ins', async () => {
    const samples = readdirSync(join(UNITY_PACKAGE, 'Samples~'), { recursive: true, encoding: 'utf8' });
    const sources = samples
      .filter((name) => name.endsWith('.cs'))
      .map((name) => `${UNITY_PACKAGE}Samples~/${name}`);
    sources.push(join(CSHARP_SUPPORT, 'UnityEngine.cs'));
    for (const browser of [[], ['UNITY_WEBGL']])
      await compileCSharp({
        sources,
        out: newPath(),
        target: 'library',
        defines: ['UNITY_2021_3_OR_NEWER', ...browser],
      });
  });
});

judgeClient(CSHARP);
