/** `gsls ban`, asked by another process, before a service whose registry is played here. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { ServiceError } from '../../../src/errors.ts';
import { withBan } from '../../../src/registry/moderation.ts';
import { aBan } from '../../support/a-ban.ts';
import { freePort } from '../../support/free-port.ts';
import { ADMIN_KEY, useModeratedService } from '../../support/moderated-registry.ts';
import { runCli, type CliExit } from '../../support/start-cli.ts';
import { expectComplaint } from './expect-complaint.ts';

describe('gsls ban', function () {
  this.timeout(120_000);
  const service = useModeratedService();
  const { registry } = service;

  function ban(...args: string[]): Promise<CliExit> {
    const environment = { GSLS_ADMIN_KEY: ADMIN_KEY, USER: 'ann' };
    return runCli(['ban', ...args.slice(0, 1), '--url', service.url, ...args.slice(1)], environment);
  }

  it('add bans, and tells how many entries match', async () => {
    registry.add({ name: 'Best casino' });
    const { code, stdout, stderr } = await ban('add', '--server-name', '*casino*', '--reason', 'spam');
    const [added] = registry.moderation.bans;
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.equal(`added the ban ${added!.ban}; entries that match now: 1\n`);
    expect(added).to.include({ name: '*casino*', reason: 'spam', mode: 'refuse', author: 'ann' });
  });

  it('add takes every field', async () => {
    const patterns = ['--server-id', 'a', '--address', '203.0.113.0/24', '--server-host', '*.example'];
    const others = ['--reason', 'a b', '--mode', 'silent', '--author', 'Bob', '--for', '2h'];
    const { stdout } = await ban('add', ...patterns, ...others);
    expect(stdout).to.match(/^added the ban \S+, silently; entries that match now: 0\n$/);
    const [added] = registry.moderation.bans;
    expect(added).to.include({ id: 'a', address: '203.0.113.0/24', host: '*.example', reason: 'a b' });
    expect(added).to.include({ mode: 'silent', author: 'Bob' });
    expect(added!.expiresAt! - added!.createdAt).to.be.closeTo(7_200_000, 20_000);
    await ban('add', '--server-id', 'b', '--reason', 'c', '--expires-at', '2099-01-01T00:00:00Z');
    expect(registry.moderation.bans[1]!.expiresAt).to.equal(Date.UTC(2099, 0, 1));
  });

  it('list prints the bans for people, and with --json for programs', async () => {
    expect((await ban('list')).stdout).to.equal('no bans\n');
    const bans = [
      aBan({ ban: 'one', name: '*casino*', address: '203.0.113.0/24' }),
      aBan({ ban: 'two', id: 'a', mode: 'silent', author: '', expiresAt: Date.UTC(2099, 0, 1) }),
    ];
    for (const each of bans) registry.moderation = withBan(registry.moderation, each);
    expect(await ban('list')).to.deep.equal({
      code: 0,
      stderr: '',
      stdout: [
        'one  refuse  address 203.0.113.0/24, name *casino*',
        '  spam (1970-01-01T00:00:01.000Z by ann)',
        'two  silent  id a',
        '  spam (1970-01-01T00:00:01.000Z, until 2099-01-01T00:00:00.000Z)',
        '',
      ].join('\n'),
    });
    const { stdout } = await ban('list', '--json');
    const body = JSON.parse(stdout) as { bans: { ban: string }[]; count: number };
    expect([body.count, body.bans.map((each) => each.ban)]).to.deep.equal([2, ['one', 'two']]);
  });

  it('remove ends a ban, once', async () => {
    registry.moderation = withBan(registry.moderation, aBan({ ban: 'one', id: 'a' }));
    expect(await ban('remove', 'one', '--author', 'Bob B')).to.include({
      code: 0,
      stdout: 'removed the ban one\n',
    });
    expect(registry.moderation.bans).to.deep.equal([]);
    expect(registry.moderation.audit.at(-1)).to.include({ author: 'Bob B', action: 'ban_removed' });
    expectComplaint(await ban('remove', 'one'), 1, /answers 404: no ban has this id/);
    expectComplaint(await ban('remove', '../servers/a'), 1, /answers 404: no ban has this id/);
  });

  it('prints no character that could control a terminal', async () => {
    const hostile = 'a\u001b[2J\u009b\u202e\nb';
    const each = aBan({ ban: 'one', name: `${hostile}*`, reason: hostile, author: hostile });
    registry.moderation = { bans: [each], audit: [] };
    for (const args of [['list'], ['list', '--json']]) {
      const { stdout } = await ban(...args);
      expect(stdout.replaceAll('\n', '')).to.not.match(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(stdout.split('\n')).to.have.length(args.length > 1 ? 2 : 3);
    }
    const { bans } = JSON.parse((await ban('list', '--json')).stdout) as { bans: { reason: string }[] };
    expect(bans[0]!.reason).to.equal(hostile);
  });

  it('that the service refuses tells all that is wrong, by flags, with code 2', async () => {
    expectComplaint(
      await ban('add', '--server-name', '*', '--mode', 'loud'),
      2,
      /^gsls: --server-name must be a text with .*; --reason is missing; --mode must be refuse or silent; see/,
    );
    expectComplaint(
      await ban('add', '--reason', 'spam'),
      2,
      /^gsls: --server-id, --address, --server-host, --server-name are missing: at least one/,
    );
  });

  const COMPLAINTS: readonly (readonly [args: readonly string[], line: RegExp])[] = [
    [['ban'], /: ban needs one of its commands add, list and remove; see gsls --help$/m],
    [['ban', 'lst'], /: ban needs one of its commands add, list and remove; did you mean list\?$/m],
    [['ban', 'hunter2'], /: ban needs one of its commands add, list and remove; see/],
    [['ban', 'list', 'extra'], /list takes options only/],
    [['ban', 'remove'], /: remove needs a ban; see/],
    [['ban', 'add', '--server-nmae', 'a'], /did you mean --server-name\?$/m],
    [['ban', 'add', '--reason'], /--reason <text> needs a value/],
    [['ban', 'list', '--url', 'localhost:53600'], /--url must be the address of a replica, like http:/],
    [['ban', 'list', '--url', 'http://a:hunter2@localhost'], /--url must be the address of a replica, like/],
    [['ban', 'list', '--url', 'http://localhost/admin'], /--url must be the address of a replica/],
    [
      ['ban', 'add', '--server-id', 'a', '--host', '*.x'],
      /--host is an option of the service.*--server-host/,
    ],
    [['ban', 'add', '--for', '1y'], /--for must be a number of minutes, hours, days or weeks like 90m/],
    [['ban', 'add', '--for', '1d', '--expires-at', 'x'], /--for and --expires-at say the same/],
  ];
  for (const [args, line] of COMPLAINTS)
    it(`${args.join(' ')} ends with code 2 and one line`, async () => {
      const exit = await runCli(args, { GSLS_ADMIN_KEY: ADMIN_KEY });
      expectComplaint(exit, 2, line);
      expect(exit.stderr).to.not.include('hunter2');
    });

  it('asks the replica on this machine: on its operations port, where the variables or flags name one', async () => {
    const { port } = new URL(service.url);
    const nowhere = String(await freePort());
    const admin = { GSLS_ADMIN_KEY: ADMIN_KEY };
    const ways: readonly (readonly [args: readonly string[], environment: Record<string, string>])[] = [
      [[], { GSLS_OPS_PORT: port, GSLS_PORT: nowhere }],
      [[], { GSLS_OPS_PORT: port, GSLS_OPS_HOST: '::', GSLS_HOST: '203.0.113.1' }],
      [['--ops-port', port], { GSLS_OPS_PORT: nowhere }],
      [[], { GSLS_PORT: port }],
    ];
    for (const [args, environment] of ways)
      expect(await runCli(['ban', 'list', ...args], { ...admin, ...environment })).to.include({
        stdout: 'no bans\n',
        stderr: '',
      });
    const other = await runCli(['ban', 'list'], { ...admin, GSLS_OPS_PORT: nowhere, GSLS_PORT: port });
    expectComplaint(other, 1, new RegExp(`http://127\\.0\\.0\\.1:${nowhere} does not answer: ECONNREFUSED`));
    const unknown = await runCli(['ban', 'list'], { ...admin, GSLS_OPS_PORT: '0' });
    expectComplaint(unknown, 2, /ban needs --url/);
  });

  it('without an admin key ends with code 2', async () => {
    expectComplaint(await runCli(['ban', 'list']), 2, /set GSLS_ADMIN_KEY or --admin-key-file/);
  });

  it('that does not reach such a service ends with code 1 and one line', async () => {
    const wrongKey = await runCli(['ban', 'list', '--url', service.url], { GSLS_ADMIN_KEY: 'other' });
    expectComplaint(wrongKey, 1, /answers 401: the admin key is needed/);

    const noAdmin = JSON.stringify({ status: 'error', error: 'there is nothing', code: 'not_found' });
    const other = createServer(({ method }, response) =>
      response.writeHead(404).end(method === 'GET' ? '<html>' : noAdmin),
    );
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const [html, notFound] = await Promise.all([
      runCli(['ban', 'list', '--url', url], { GSLS_ADMIN_KEY: ADMIN_KEY }),
      runCli(['ban', 'remove', 'a', '--url', url], { GSLS_ADMIN_KEY: ADMIN_KEY }),
    ]);
    await new Promise((resolve) => other.close(resolve));
    expectComplaint(html, 1, /answers 404: another program than GSLS listens there/);
    expectComplaint(notFound, 1, /answers 404: it has no \/admin/);

    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const closed = await runCli(['ban', 'list', '--url', nowhere], { GSLS_ADMIN_KEY: ADMIN_KEY });
    expectComplaint(closed, 1, /does not answer: ECONNREFUSED/);

    registry.failure = new ServiceError('registry_unavailable', { message: 'a\u001b[2J\u202eb' });
    const hostile = await ban('remove', 'one');
    expectComplaint(hostile, 1, /answers 503: a\\u\{1b\}\[2J\\u\{202e\}b$/m);
  });

  it('has a help with examples, for all of it and for each command', async () => {
    const { code, stdout } = await runCli(['help', 'ban']);
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/^Usage: gsls ban add\|list\|remove /)
      .and.to.match(/\nExamples:\n {2}export GSLS_ADMIN_KEY/);
    for (const command of ['add', 'list', 'remove']) {
      const help = await runCli(['ban', command, '--help']);
      expect(help).to.include({ code: 0, stderr: '' });
      expect(help.stdout)
        .to.match(new RegExp(`^Usage: gsls ban ${command} `))
        .and.to.include('\n  --url <url>\n');
      expect((await runCli(['ban', 'help', command])).stdout).to.equal(help.stdout);
    }
    expect(stdout.split('\n').filter((line) => line.length > 80)).to.deep.equal([]);
  });
});
