/** Why a service cannot listen, in one line that names the flag. */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { explainListenError } from '../../../src/service/commands/listen-error.ts';
import { listen } from '../../support/listen.ts';
import { soleDeployment } from '../../../src/service/deployment/deployment.ts';
import { configOf } from '../config/config-of.ts';
import { startTestService } from '../../support/start-test-service.ts';

async function complaintWith(environment: Record<string, string>): Promise<string> {
  const error = await startTestService(environment).then(
    () => expect.fail('it listens'),
    (each: unknown) => each,
  );
  return explainListenError(error, soleDeployment(configOf({ environment }))).message;
}

describe('a service that cannot listen', () => {
  it('names the port that is in use', async () => {
    const holder = createServer();
    await listen(holder, '127.0.0.1', 0);
    const port = String((holder.address() as AddressInfo).port);
    try {
      const line = new RegExp(`^port ${port} is already in use.* --`);
      expect(await complaintWith({ GSLS_PORT: port }))
        .to.match(line)
        .and.to.match(/ --port$/);
      const ops = { GSLS_OPS_PORT: port, GSLS_OPS_HOST: '127.0.0.1' };
      expect(await complaintWith(ops))
        .to.match(line)
        .and.to.match(/ --ops-port$/);
    } finally {
      await new Promise((resolve) => holder.close(resolve));
    }
  });

  it('names the UDP port that is in use, and an address of it that this machine does not have', async () => {
    const holder = createSocket('udp4');
    holder.bind(0, '127.0.0.1');
    await once(holder, 'listening');
    const port = String(holder.address().port);
    try {
      expect(await complaintWith({ GSLS_DPMASTER_PORT: port, GSLS_DPMASTER_HOST: '127.0.0.1' })).to.match(
        new RegExp(`^port ${port} is already in use.* --dpmaster-port$`),
      );
    } finally {
      holder.close();
    }
    expect(await complaintWith({ GSLS_DPMASTER_PORT: '0', GSLS_DPMASTER_HOST: '203.0.113.1' })).to.match(
      /^203\.0\.113\.1 is not an address of this machine.* --dpmaster-host$/,
    );
  });

  it('names the host that is not an address of this machine', async () => {
    const line = /^203\.0\.113\.1 is not an address of this machine.* --/;
    expect(await complaintWith({ GSLS_HOST: '203.0.113.1' }))
      .to.match(line)
      .and.to.match(/ --host$/);
    expect(await complaintWith({ GSLS_OPS_PORT: '0', GSLS_OPS_HOST: '203.0.113.1' }))
      .to.match(line)
      .and.to.match(/ --ops-host$/);
  });
});
