/** A client of examples/ and the person who runs it: what it says of the service, and where it stops at once. */

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createCertificate } from './certificate.ts';
import { useScenes } from './example-scene.ts';
import { freePort } from './free-port.ts';
import { GameProcess, type Command } from './game-process.ts';
import { listen } from './listen.ts';
import { has } from './needs.ts';
import { isBroadcast, isPing, type Seen } from './recorder.ts';
import type { useSideBySide } from './side-by-side.ts';

interface ReportingClient {
  readonly command: () => Command;
  /** A game that imports the module, says that it goes on, and ends. */
  readonly game: () => Command;
  /** A path that nothing has yet. */
  readonly newPath: () => string;
}

const NO_URLS = [
  '',
  'localhost:53600',
  'htp://localhost:53600',
  'http:/localhost:53600',
  'http://',
  'http://local host',
  'http://localhost:port',
  'http://localhost:99999',
  'http://user@localhost',
];
/** What of a token file never came from a service: of another form, and what no header can carry. */
const DAMAGED = {
  'a text that is no token': 'changeme',
  'two lines': 'changeme.\nchangeme',
  'no text': '\0\x1F',
};
const KEPT = 'the service has our entry';

const isAccepted = (each: Seen): boolean => each.status === 200;

/** How often the log says so. */
const times = (log: string, what: string): number => log.split(what).length - 1;

/** `itBeside` takes the place of `it`. */
export function describeReports(
  { command, game, newPath }: ReportingClient,
  itBeside: ReturnType<typeof useSideBySide>,
): void {
  const itReports = useScenes(command, itBeside);

  for (const [what, text] of Object.entries(DAMAGED))
    itReports(`claims a new entry where its token file has ${what}, and names the file`, async (scene) => {
      const { serve, play, recorder } = scene;
      await serve({});
      const tokenFile = newPath();
      writeFileSync(tokenFile, text);
      await play({ tokenFile });
      const { token, issued } = await recorder.next(0, (each) => isBroadcast(each) && isAccepted(each));
      expect(token).to.equal('claim');
      await recorder.next(0, (each) => isPing(each) && isAccepted(each));
      expect(readFileSync(tokenFile, 'utf8')).to.equal(issued);
      expect(scene.game.log).to.include(`the token in ${tokenFile} is not valid: a new entry is claimed`);
    });

  itReports('says what is wrong and that it is over, each once', async (scene) => {
    const { serve, play, recorder } = scene;
    await serve({});
    await play();
    await recorder.next(0, isPing);
    const from = recorder.seen.length;
    const body = JSON.stringify({ status: 'error', error: 'try again later', code: 'registry_unavailable' });
    let refused = 0;
    recorder.spoilNext = function spoil(response) {
      response.writeHead(503).end(body);
      refused += 1;
      if (refused < 3) recorder.spoilNext = spoil;
    };
    await recorder.next(from + 3, isPing);
    await recorder.next(from + 4, isPing);
    expect(times(scene.game.log, '503: try again later; again in ')).to.equal(1);
    expect(times(scene.game.log, KEPT)).to.equal(2);
  });

  itReports(
    'says what the service found out about it, and its join code, when they change',
    async (scene) => {
      const { serve, play, recorder } = scene;
      await serve({});
      recorder.added = { 'Server-Verification': 'no answer on UDP', 'Server-Join-Code': 'K7QM' };
      await play();
      await scene.game.says(/no answer on UDP/);
      await recorder.next(3, isPing);
      recorder.added = { 'Server-Verification': 'verified' };
      await scene.game.says(/verified/);
      const said = scene.game.log.split('\n').filter((line) => line.includes('Server-'));
      expect(said).to.deep.equal([
        'GSLS: Server-Verification: no answer on UDP',
        'GSLS: Server-Join-Code: K7QM',
        'GSLS: Server-Verification: verified',
      ]);
    },
  );

  itReports('goes on when its input is closed, as where a service manager starts it', async (scene) => {
    const { serve, play, recorder } = scene;
    await serve({});
    await play();
    await recorder.next(0, isPing);
    const from = recorder.seen.length;
    scene.game.closeInput();
    for (const skip of [from, from + 1])
      expect(await recorder.next(skip, () => true)).to.include({ path: '/ping' });
  });

  for (const path of ['/', '/lists/eu', '/lists/eu/'])
    itReports(`finds its service at a URL with the path ${path}`, async (scene) => {
      const { serve, play, recorder } = scene;
      await serve({});
      recorder.prefix = path.replace(/\/$/, '');
      await play({ path });
      expect(await recorder.next(0, () => true)).to.include({ path: '/broadcast', status: 200 });
      expect(await recorder.next(1, () => true)).to.include({ path: '/ping', status: 200 });
    });

  itReports('says that what answers is no GSLS', async (scene) => {
    await scene.serve({});
    scene.recorder.spoilNext = (response) => response.end('<h1>It works!</h1>');
    await scene.play();
    await scene.game.says(/200: this is no answer of GSLS; again in 300 s/);
  });

  itBeside('says that the connection is refused', async () => {
    const client = new GameProcess(command(), [`http://127.0.0.1:${await freePort()}`]);
    await client.says(/no answer: .*refused/i);
    await client.crash();
  });

  if (has('openssl'))
    itBeside('says that it does not trust the certificate', async () => {
      const certificate = createCertificate('localhost');
      const server = createServer({ cert: certificate.pem, key: readFileSync(certificate.keyFile) });
      await listen(server, '127.0.0.1', 0);
      const client = new GameProcess(command(), [
        `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ]);
      await client.says(/no answer: .*certificate/i);
      await client.crash();
      server.close();
      certificate.remove();
    });

  itBeside('stops at once at what cannot be the URL of a service, with one line', async () => {
    for (const url of NO_URLS) {
      const client = new GameProcess(command(), [url]);
      expect(await client.ended(), url).to.equal(1);
      expect(client.log, url).to.match(/^GSLS: [^\n]*(?:no URL of a service|[Pp]ort)[^\n]*\n$/);
    }
  });

  itBeside('is imported by a game, and starts nothing', async () => {
    const importing = new GameProcess(game(), []);
    expect(await importing.ended()).to.equal(0);
    expect(importing.log.trim()).to.equal('the game goes on');
  });
}
