/** What the log of a service says of its data file, and of one that it cannot use. */

import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import type { Service } from '../../src/service/service.ts';
import { ask } from '../support/ask.ts';
import { aBroadcast } from '../support/builders.ts';
import { LogRecord, type LogLine } from '../support/log-record.ts';
import { startTestService } from '../support/start-test-service.ts';
import { HEADER, listedLine, useDisk } from '../support/use-data-files.ts';
import { useDirectory } from '../support/use-directory.ts';

describe('the log of a service with a data file', () => {
  const newPath = useDirectory();
  const disk = useDisk();
  let path: string;
  let log: LogRecord;
  beforeEach(() => {
    path = newPath();
    log = new LogRecord();
  });

  const start = (): Promise<Service> => startTestService({ GSLS_DATA_FILE: path }, log.logger);
  const linesAboutFile = (): LogLine[] => log.lines.filter(({ msg }) => msg.startsWith('the data file'));

  it('says where the registry is', async () => {
    await (await start()).close();
    expect(log.lines).to.deep.equal([
      { level: 30, msg: `the registry is in the memory of this process and in the file ${path}` },
    ]);
  });

  it('says that the file lost its end in a crash', async () => {
    await writeFile(path, `${HEADER}{"is":"le`);
    await (await start()).close();
    expect(linesAboutFile()).to.deep.equal([
      {
        level: 40,
        path,
        msg: 'the data file ended in the middle of a line: dropped that unacknowledged change',
      },
    ]);
  });

  it('says that the file had impossible places in the list', async () => {
    await writeFile(path, HEADER + listedLine('an-id', 2 ** 53));
    const service = await start();
    expect((await ask(service, 'GET /')).body.count).to.equal(1);
    await service.close();
    expect(linesAboutFile()).to.have.lengthOf(1);
    expect(linesAboutFile()[0]!.msg).to.match(/^the data file had places in the list/);
    expect(linesAboutFile()[0]!.level).to.equal(40);
  });

  it('says that the file was deleted while in use, and written anew', async () => {
    const service = await start();
    await ask(service, 'POST /broadcast', { body: aBroadcast() });
    await rm(path);
    const { text } = await ask(service, 'GET /');
    await service.close();
    expect(linesAboutFile()).to.have.lengthOf(1);
    expect(linesAboutFile()[0]).to.include({
      level: 40,
      msg: 'the data file was deleted while in use: wrote it anew; GSLS reads it at the start only, so stop GSLS before you change it',
    });
    const next = await start();
    expect((await ask(next, 'GET /')).text).to.equal(text);
    await next.close();
  });

  it('says once that the file cannot be written, and that it holds everything again', async () => {
    const service = await start();
    disk.handles.writeFile = async () => {
      throw new Error('ENOSPC: no space left on device, write');
    };
    for (let n = 0; n < 3; n += 1) await ask(service, 'POST /broadcast', { body: aBroadcast() });
    disk.handles.writeFile = disk.original.writeFile;
    await service.close();
    expect(linesAboutFile().map(({ level, msg }) => [level, msg.split(':')[0]])).to.deep.equal([
      [50, 'the data file cannot be written'],
      [30, 'the data file holds everything again'],
    ]);
    expect(linesAboutFile()[0]!.reason).to.equal('ENOSPC: no space left on device, write');
  });

  it('has nothing of a file of another program: it is refused in one line, and not changed', async () => {
    await writeFile(path, 'my notes\n');
    const error = await start().catch((each: unknown) => each);
    expect(error)
      .to.be.instanceOf(Error)
      .with.property('message', `the data file ${path} cannot be used: it is no data file of GSLS`);
    expect(readFileSync(path, 'utf8')).to.equal('my notes\n');
    expect(existsSync(`${path}.new`)).to.equal(false);
    expect(log.lines).to.deep.equal([]);
  });
});
