/** The README: short, with commands that run as they stand; and the one of docs/api.md that is for cmd.exe. */

import { expect } from 'chai';
import { ask } from '../support/ask.ts';
import { codeOf, commandsOf, listOf, readDocument } from '../support/markdown.ts';
import { useService } from '../support/use-service.ts';

const readme = readDocument('README.md');

describe('the README', () => {
  it('has at most 7,000 bytes', () => {
    expect(Buffer.byteLength(readme)).to.be.at.most(7_000);
  });

  it('begins with how the service is started, and says how it is tested', () => {
    const blocks = codeOf(readme).filter(({ language }) => language === 'sh');
    expect(blocks[0]!.text).to.equal('npm ci && npm start\n');
    expect(blocks.map(({ text }) => text)).to.include('npm ci && npm test\n');
  });

  it('shows a picture before its first heading', () => {
    expect(readme.split('\n## ')[0]).to.match(/^!\[[^\]]+\]\(docs\/pictures\/[\w-]+\.png\)$/m);
  });

  it('has three commands to paste to list a game server, and three to find it', () => {
    expect(commandsOf(readme).map(({ script }) => script.trim().split('\n').length)).to.deep.equal([3, 3]);
  });

  it('compares six ways to have a list in a table, and names itself last', () => {
    const [, section] = readme.split('\n## Is it for you?\n');
    const rows = section!.split('\n## ')[0]!.trim().split('\n').slice(2);
    expect(rows).to.have.length(6);
    expect(rows.at(-1)).to.include('| **GSLS** ');
  });

  it('counts the faults that the suite has', () => {
    const [, count] = /(\d+) faults/.exec(readme)!;
    expect(Number(count)).to.equal(listOf(readDocument('docs/promises.md'), 'faults').length);
  });
});

describe('docs/api.md', () => {
  const service = useService();

  it('has a broadcast for cmd.exe that is listed', async () => {
    const block = /```bat\ncurl localhost:53600\/broadcast -d "(.*)"\n```/;
    const [, quoted] = block.exec(readDocument('docs/api.md'))!;
    // Outside of quotes cmd.exe gives a meaning to these.
    expect(quoted).to.not.match(/[%&|<>^!]/);
    const body = quoted!.replaceAll('\\"', '"');
    const answer = await ask(service, 'POST /broadcast', { body });
    expect(answer.status).to.equal(200);
    expect(await service.listed(answer.body.server_id!)).to.include({ name: 'Frankfurt 1' });
  });
});
