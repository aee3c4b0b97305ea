/**
 * The commands of docs/find.md that no shell alone can run: a stream does not end, and a join code is another each
 * time.
 */

import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ask } from '../../support/ask.ts';
import { aBroadcast } from '../../support/builders.ts';
import { EventParser, type ServerSentEvent } from '../../support/event-parser.ts';
import { readDocument } from '../../support/markdown.ts';
import { needs } from '../../support/needs.ts';
import { useService } from '../../support/use-service.ts';

async function outputOf(command: string): Promise<string> {
  return (await promisify(execFile)('bash', ['-euc', command])).stdout;
}

needs('bash', 'curl').describe('curl, as docs/find.md has it', () => {
  const service = useService({ GSLS_ALLOW_UNLISTED: 'true', GSLS_FEED_INTERVAL: '100' });

  /** The commands of a section that no mark gives to another test, for this service. */
  function commandsOf(heading: string): string[] {
    const [, section] = readDocument('docs/find.md').split(new RegExp(`^#+ ${heading}$`, 'm'));
    const blocks = section!.split(/^#+ /m)[0]!.matchAll(/```sh\n(.*?)```/gs);
    return [...blocks].map(([, command]) => command!.replace('localhost:53600', new URL(service.url).host));
  }

  for (const [how, flag] of [
    ['compressed', '--compressed'],
    ['plain', ''],
  ] as const)
    it(`prints each event of a stream as it comes, sent ${how}`, async () => {
      const id = await service.broadcast({ region: 'eu', server_name: how });
      const command = commandsOf('As a stream')[0]!
        .replace('--compressed', flag)
        .replace('region=eu', `id=${id}`);
      const curl = spawn('bash', ['-euc', `exec ${command}`], { stdio: ['ignore', 'pipe', 'ignore'] });
      const events: ServerSentEvent[] = [];
      const parser = new EventParser((event) => events.push(event));
      let isChanged = false;
      for await (const text of curl.stdout.setEncoding('utf8')) {
        parser.push(text as string);
        if (events.length > 1) break;
        if (events.length === 0 || isChanged) continue;
        isChanged = true;
        const body = { ...aBroadcast({ region: 'eu', server_name: `${how}, changed` }), server_id: id };
        await ask(service, 'POST /ping', { body });
      }
      curl.kill();
      const told = events.map(({ data }) => JSON.parse(data) as Record<string, unknown>);
      expect(told[0]).to.have.nested.include({ 'servers[0].name': how, full: true });
      expect(told[1]).to.have.nested.include({ 'servers[0].name': `${how}, changed`, full: false });
    });

  it('lists an unlisted server, and finds it by its join code', async () => {
    const [broadcast, join] = commandsOf('Unlisted servers');
    const [, code] = /^Server-Join-Code: (\w{10})\r$/m.exec(await outputOf(broadcast!))!;
    const written = /(?<=\/join\/)\w{5}-\w{5}$/m;
    expect(join).to.match(written);
    const shown = await outputOf(
      join!.replace(written, `${code!.slice(0, 5)}-${code!.slice(5)}`.toLowerCase()),
    );
    expect(JSON.parse(shown)).to.have.nested.include({ status: 'success', 'server.name': 'Our evening' });
  });
});
