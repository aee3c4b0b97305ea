/** What moderators do from a terminal, in this process, before a service whose registry is played here. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { ServiceError } from '../../../src/model/service-error.ts';
import { NO_DECISIONS, withBan } from '../../../src/registry/decisions/decisions.ts';
import { aBan } from '../../support/a-ban.ts';
import { freePort } from '../../support/free-port.ts';
import { ADMIN_KEY, useModeratedService } from '../../support/moderated-registry.ts';
import { complaintHere, runHere } from '../../cli/run-here.ts';

const ADMIN = { GSLS_ADMIN_KEY: ADMIN_KEY };

const complaintOfList = (url: string, key = ADMIN_KEY): Promise<string> =>
  complaintHere(1, ['ban', 'list', '--url', url], { GSLS_ADMIN_KEY: key });

describe('gsls ban', () => {
  const service = useModeratedService();
  const { registry } = service;

  const words = ([command, ...rest]: readonly string[]): string[] => [
    'ban',
    command!,
    '--url',
    service.url,
    ...rest,
  ];
  const ban = (...args: string[]): Promise<string> => runHere(words(args), { ...ADMIN, USER: 'ann' });
  const complaint = (exitCode: 1 | 2, ...args: string[]): Promise<string> =>
    complaintHere(exitCode, words(args), { ...ADMIN, USER: 'ann' });

  it('add bans, and tells how many entries match', async () => {
    registry.add({ name: 'Best casino' });
    const printed = await ban('add', '--server-name', '*casino*', '--reason', 'spam');
    const [added] = registry.moderation.decided.bans;
    expect(printed).to.equal(`added the ban ${added!.ban}; entries that match now: 1\n`);
    expect(added).to.include({ name: '*casino*', reason: 'spam', mode: 'refuse', author: 'ann' });
  });

  it('add takes every field', async () => {
    const patterns = ['--server-id', 'a', '--address', '203.0.113.0/24', '--server-host', '*.example'];
    const others = ['--reason', 'a b', '--mode', 'silent', '--author', 'Bob', '--for', '2h'];
    expect(await ban('add', ...patterns, ...others)).to.match(
      /^added the ban \S+, silently; entries that match now: 0\n$/,
    );
    const [added] = registry.moderation.decided.bans;
    expect(added).to.include({ id: 'a', address: '203.0.113.0/24', host: '*.example', reason: 'a b' });
    expect(added).to.include({ mode: 'silent', author: 'Bob' });
    expect(added!.expiresAt! - added!.createdAt).to.be.closeTo(7_200_000, 20_000);
    await ban('add', '--server-id', 'b', '--reason', 'c', '--expires-at', '2099-01-01T00:00:00Z');
    expect(registry.moderation.decided.bans[1]!.expiresAt).to.equal(Date.UTC(2099, 0, 1));
  });

  it('list prints the bans for people, and with --json for programs', async () => {
    expect(await ban('list')).to.equal('no bans\n');
    const bans = [
      aBan({ ban: 'one', name: '*casino*', address: '203.0.113.0/24' }),
      aBan({ ban: 'two', id: 'a', mode: 'silent', author: '', expiresAt: Date.UTC(2099, 0, 1) }),
    ];
    for (const each of bans) registry.moderation.decided = withBan(registry.moderation.decided, each);
    expect(await ban('list')).to.equal(
      [
        'one  refuse  address 203.0.113.0/24, name *casino*',
        '  spam (1970-01-01T00:00:01.000Z by ann)',
        'two  silent  id a',
        '  spam (1970-01-01T00:00:01.000Z, until 2099-01-01T00:00:00.000Z)',
        '',
      ].join('\n'),
    );
    const body = JSON.parse(await ban('list', '--json')) as { bans: { ban: string }[]; count: number };
    expect([body.count, body.bans.map((each) => each.ban)]).to.deep.equal([2, ['one', 'two']]);
  });

  it('remove ends a ban, once', async () => {
    registry.moderation.decided = withBan(registry.moderation.decided, aBan({ ban: 'one', id: 'a' }));
    expect(await ban('remove', 'one', '--author', 'Bob B')).to.equal('removed the ban one\n');
    expect(registry.moderation.decided.bans).to.deep.equal([]);
    expect(registry.moderation.decided.audit.at(-1)).to.include({ author: 'Bob B', action: 'ban_removed' });
    for (const id of ['one', '../servers/a'])
      expect(await complaint(1, 'remove', id)).to.match(/answers 404: no ban has this id/);
  });

  it('prints no character that could control a terminal', async () => {
    const hostile = 'a\u001b[2J\u009b\u202e\nb';
    const each = aBan({ ban: 'one', name: `${hostile}*`, reason: hostile, author: hostile });
    registry.moderation.decided = { ...NO_DECISIONS, bans: [each] };
    for (const args of [['list'], ['list', '--json']]) {
      const printed = await ban(...args);
      expect(printed.replaceAll('\n', '')).to.not.match(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(printed.split('\n')).to.have.length(args.length > 1 ? 2 : 3);
    }
    const { bans } = JSON.parse(await ban('list', '--json')) as { bans: { reason: string }[] };
    expect(bans[0]!.reason).to.equal(hostile);
  });

  it('that the service refuses tells all that is wrong, by flags, as a usage error', async () => {
    expect(await complaint(2, 'add', '--server-name', '*', '--mode', 'loud')).to.match(
      /^--server-name must be a text with .*; --reason is missing; --mode must be refuse or silent$/,
    );
    expect(await complaint(2, 'add', '--reason', 'spam')).to.match(
      /^--server-id, --address, --server-host, --server-name are missing: at least one/,
    );
  });

  const COMPLAINTS: readonly (readonly [args: readonly string[], line: RegExp])[] = [
    [['ban'], /^ban needs one of its commands add, list and remove$/],
    [['ban', 'lst'], /^ban needs one of its commands add, list and remove; did you mean list\?$/],
    [['ban', 'hunter2'], /^ban needs one of its commands add, list and remove$/],
    [['ban', 'list', 'extra'], /list takes options only/],
    [['ban', 'remove'], /^remove needs a ban$/],
    [['ban', 'add', '--server-nmae', 'a'], /did you mean --server-name\?$/],
    [['ban', 'add', '--reason'], /--reason <text> needs a value/],
    [['ban', 'list', '--url', 'localhost:53600'], /--url must be the address of a replica, like http:/],
    [['ban', 'list', '--url', 'http://a:hunter2@localhost'], /--url must be the address of a replica, like/],
    [['ban', 'list', '--url', 'http://localhost/admin'], /--url must be the address of a replica/],
    [
      ['ban', 'add', '--server-id', 'a', '--host', '*.x'],
      /--host is an option of the service.*--server-host/,
    ],
    [['ban', 'add', '--server-id', 'a', '--reason', 'b'], /name yourself with --author/],
    [['ban', 'remove', 'a'], /name yourself with --author/],
    [['ban', 'add', '--for', '1y'], /--for must be a number of minutes, hours, days or weeks like 90m/],
    [['ban', 'add', '--for', '1d', '--expires-at', 'x'], /--for and --expires-at say the same/],
  ];
  for (const [args, line] of COMPLAINTS)
    it(`${args.join(' ')} is a usage error of one line`, async () => {
      const message = await complaintHere(2, args, ADMIN);
      expect(message).to.match(line).and.not.include('hunter2');
    });

  it('asks the replica on this machine: on its operations port, where the variables or flags name one', async () => {
    const { port } = new URL(service.url);
    const nowhere = String(await freePort());
    const ways: readonly (readonly [args: readonly string[], environment: Record<string, string>])[] = [
      [[], { GSLS_OPS_PORT: port, GSLS_PORT: nowhere }],
      [[], { GSLS_OPS_PORT: port, GSLS_OPS_HOST: '::', GSLS_HOST: '203.0.113.1' }],
      [['--ops-port', port], { GSLS_OPS_PORT: nowhere }],
      [[], { GSLS_PORT: port }],
    ];
    for (const [args, environment] of ways)
      expect(await runHere(['ban', 'list', ...args], { ...ADMIN, ...environment })).to.equal('no bans\n');
    const closed = { ...ADMIN, GSLS_OPS_PORT: nowhere, GSLS_PORT: port };
    expect(await complaintHere(1, ['ban', 'list'], closed)).to.include(
      `http://127.0.0.1:${nowhere} does not answer: the connection was refused (ECONNREFUSED)`,
    );
    const unknown = { ...ADMIN, GSLS_OPS_PORT: '0' };
    expect(await complaintHere(2, ['ban', 'list'], unknown)).to.match(/ban needs --url/);
  });

  it('without an admin key is a usage error', async () => {
    expect(await complaintHere(2, ['ban', 'list'])).to.match(/set GSLS_ADMIN_KEY or --admin-key-file/);
  });

  it('that does not reach such a service fails with one line', async () => {
    expect(await complaintOfList(service.url, 'other')).to.match(/answers 401: the admin key is needed/);

    const noAdmin = JSON.stringify({ status: 'error', error: 'there is nothing', code: 'not_found' });
    const other = createServer(({ method }, response) =>
      response.writeHead(404).end(method === 'GET' ? '<html>' : noAdmin),
    );
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await complaintOfList(url)).to.match(/answers 404: another program than GSLS listens there/);
    const notFound = await complaintHere(1, ['ban', 'remove', 'a', '--url', url, '--author', 'ann'], ADMIN);
    expect(notFound).to.match(/answers 404: it has no \/admin/);
    await new Promise((resolve) => other.close(resolve));

    expect(await complaintOfList(`http://127.0.0.1:${await freePort()}`)).to.match(
      /does not answer: the connection was refused/,
    );

    registry.failure = new ServiceError('registry_unavailable', { message: 'a\u001b[2J\u202eb' });
    expect(await complaint(1, 'remove', 'one')).to.match(/answers 503: a\\u\{1b\}\[2J\\u\{202e\}b$/);
  });

  it('has a help with examples, for all of it and for each command', async () => {
    const help = await runHere(['help', 'ban']);
    expect(help)
      .to.match(/^Usage: gsls ban add\|list\|remove /)
      .and.to.match(/\nExamples:\n {2}export GSLS_ADMIN_KEY/);
    for (const command of ['add', 'list', 'remove']) {
      const ofCommand = await runHere(['ban', command, '--help']);
      expect(ofCommand)
        .to.match(new RegExp(`^Usage: gsls ban ${command} `))
        .and.to.include('\n  --url <url>\n');
      expect(await runHere(['ban', 'help', command])).to.equal(ofCommand);
    }
    expect(help.split('\n').filter((line) => line.length > 80)).to.deep.equal([]);
  });
});

describe('gsls label, servers, remove and reports', () => {
  const service = useModeratedService({
    GSLS_REPORT_REASONS: 'spam,cheating',
    GSLS_REPORT_NOTES: 'true',
    GSLS_LABELS: 'cup',
  });
  const { registry } = service;
  const HOSTILE = 'a\u001b[2J\u009b\u202e<b>';

  /** The words of a command, and `--url` behind them. */
  const moderate = (...args: string[]): Promise<string> =>
    runHere([...args, '--url', service.url], { ...ADMIN, USER: 'ann' });
  const complaint = (exitCode: 1 | 2, ...args: string[]): Promise<string> =>
    complaintHere(exitCode, [...args, '--url', service.url], { ...ADMIN, USER: 'ann' });
  const report = async (id: string, reason: string, note?: string): Promise<void> => {
    await service.reports.add(id, { network: `of ${reason}`, reason, at: Date.now(), ...(note && { note }) });
  };
  beforeEach(async () => {
    for (const id of (await service.reports.all()).keys()) await service.reports.dismiss(id);
  });

  it('label gives a label by patterns, lists the rules, and takes one back', async () => {
    const { id } = registry.add({ name: 'Cup 1' });
    const printed = await moderate('label', 'add', 'official', '--id', id, '--reason', 'ours');
    const [given] = registry.moderation.decided.labels;
    expect(printed).to.equal(`added the label ${given!.rule}; entries that match now: 1\n`);
    expect(given).to.include({ label: 'official', id, author: 'ann', reason: 'ours' });
    await moderate('label', 'add', 'cup', '--server-name', 'cup *', '--for', '2d', '--author', 'Bob');
    expect(await moderate('label', 'list')).to.match(
      new RegExp(
        `^${given!.rule}  official  id ${id}\\n  ours \\(\\S+ by ann\\)\\n\\w+  cup  name cup \\*\\n  \\(\\S+ by Bob, until \\S+\\)\\n$`,
      ),
    );
    expect(await moderate('label', 'remove', given!.rule)).to.equal(`took back the label ${given!.rule}\n`);
    expect(registry.moderation.decided.labels.map(({ label }) => label)).to.deep.equal(['cup']);
    expect(await complaint(1, 'label', 'remove', given!.rule)).to.match(/answers 404: no label was given/);
  });

  it('label refuses what is no label, and names those that there are', async () => {
    expect(await complaint(2, 'label', 'add', 'oficial', '--id', 'a')).to.match(
      /^label must be .*official, featured, 18\+, warned, trusted, cup/,
    );
    expect(await complaint(2, 'label', 'add', 'official', '--id', 'a', '--server-id', 'a')).to.match(
      /^--id and --server-id say the same/,
    );
    expect(await complaint(2, 'label', 'add', 'official')).to.match(/--token-sha256 are missing/);
  });

  it('servers prints all entries with what only moderators see, as filters and orders want', async () => {
    const { id } = registry.add({ name: 'Best casino', players: 9 });
    registry.add({ name: 'Frankfurt', seen: { players: 1, at: Date.UTC(2026, 10, 29) } });
    registry.moderation.decided = withBan(NO_DECISIONS, aBan({ name: '*casino*', mode: 'silent' }));
    await report(id, 'spam');
    expect(await moderate('servers')).to.equal(
      [
        'id-0  Best casino  game.example.com:7777  9/16',
        '  hidden: ban, from 198.51.100.9, reported by 1',
        'id-1  Frankfurt  game.example.com:7777  3/16',
        '  shown, from 198.51.100.9, players seen: 1',
        '2 of 2 entries match',
        '',
      ].join('\n'),
    );
    for (const parameters of [
      ['shown=false'],
      ['reports=1..'],
      ['reasons=spam'],
      ['q=casino'],
      ['players=5..'],
      ['sort=-players', '--limit', '1'],
      ['sort=-reports&limit=1'],
    ])
      expect(
        (await moderate('servers', ...parameters)).split('\n').slice(0, -2),
        parameters.join(),
      ).to.deep.equal([
        'id-0  Best casino  game.example.com:7777  9/16',
        '  hidden: ban, from 198.51.100.9, reported by 1',
      ]);
    const { servers } = JSON.parse(await moderate('servers', '--json')) as { servers: { id: string }[] };
    expect(servers.map((each) => each.id)).to.deep.equal(['id-0', 'id-1']);
    expect(await complaint(2, 'servers', 'colour=red')).to.match(/colour/);
    expect(await complaint(2, 'servers', '--limit', 'many')).to.match(
      /limit must be an integer from 1 to 1000/,
    );
  });

  it('remove removes an entry for good, once', async () => {
    const { id } = registry.add();
    expect(await moderate('remove', id)).to.equal(`removed the entry ${id}\n`);
    expect(registry.listed.size).to.equal(0);
    expect(registry.moderation.decided.audit.at(-1)).to.include({ author: 'ann', action: 'server_removed' });
    expect(await complaint(1, 'remove', id)).to.match(/answers 404/);
    expect(await complaintHere(2, ['remove', id, '--url', service.url], ADMIN)).to.match(/--author/);
  });

  it('reports lists them, the most reported first, and dismisses them', async () => {
    const [one, two] = [registry.add({ name: 'One' }), registry.add({ name: 'Two' })];
    expect(await moderate('reports')).to.equal('no reports\n');
    await report(one.id, 'spam');
    await report(two.id, 'spam', 'a bot');
    await report(two.id, 'cheating');
    expect(await moderate('reports')).to.equal(
      [
        'id-1  Two  networks: 2 (spam 1, cheating 1)',
        '  "a bot"',
        'id-0  One  networks: 1 (spam 1)',
        '',
      ].join('\n'),
    );
    expect(await moderate('reports', 'dismiss', two.id)).to.equal('dismissed the reports about id-1\n');
    expect(await moderate('reports', 'list')).to.match(/^id-0 .*\n$/);
    expect(await complaint(1, 'reports', 'dismiss', two.id)).to.match(/answers 404: nothing is reported/);
  });

  it('print no character that could control a terminal', async () => {
    const { id } = registry.add({ name: HOSTILE, host: 'h' });
    await report(id, 'spam', HOSTILE);
    for (const args of [['servers'], ['servers', '--json'], ['reports'], ['reports', 'list', '--json']])
      expect((await moderate(...args)).replaceAll('\n', '')).to.not.match(/[\p{C}\p{Zl}\p{Zp}]/u);
  });
});
