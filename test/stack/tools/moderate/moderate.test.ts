/** `gsls ban` as a process: its user, its output and exit codes. All else: test/tools/moderate/moderate.test.ts. */

import { expect } from 'chai';
import { ADMIN_KEY, useModeratedService } from '../../../support/moderated-registry.ts';
import { runCli } from '../../../support/start-cli.ts';
import { expectComplaint } from '../../cli/expect-complaint.ts';

describe('gsls ban', function () {
  this.timeout(120_000);
  const service = useModeratedService();

  it('bans in the name of the user, and ends with code 0', async () => {
    const args = ['ban', 'add', '--url', service.url, '--server-name', '*casino*', '--reason', 'spam'];
    const { code, stdout, stderr } = await runCli(args, { GSLS_ADMIN_KEY: ADMIN_KEY, USER: 'ann' });
    const [added] = service.registry.moderation.decided.bans;
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.equal(`added the ban ${added!.ban}; entries that match now: 0\n`);
    expect(added).to.include({ name: '*casino*', author: 'ann' });
  });

  it('that the service refuses ends with code 2, and that finds no such ban with code 1', async () => {
    const url = ['--url', service.url];
    const admin = { GSLS_ADMIN_KEY: ADMIN_KEY, USER: 'ann' };
    const [refused, unknown] = await Promise.all([
      runCli(['ban', 'add', '--reason', 'spam', ...url], admin),
      runCli(['ban', 'remove', 'none', ...url], admin),
    ]);
    expectComplaint(refused, 2, /^gsls: --server-id, --address, --server-host, --server-name are missing/);
    expectComplaint(unknown, 1, /answers 404: no ban has this id$/m);
  });
});
