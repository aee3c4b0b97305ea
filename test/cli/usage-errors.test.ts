/** What the command line says, in one line, of words, variables and files that it cannot take, and of its own words. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { freePort } from '../support/free-port.ts';
import { useDirectory } from '../support/use-directory.ts';
import { complaintHere, runHere, type Variables } from './run-here.ts';

const TO = '--to http://localhost:53600';
const QUERY = '--query a2s 127.0.0.1:27015';

/** `line`: words with a space between them, behind variables as in a shell. */
async function complaintOf(line: string): Promise<string> {
  const words = line
    .replace('URL', 'http://127.0.0.1:1')
    .replace(/(?<= )TO/, TO)
    .replace('QUERY', QUERY)
    .split(' ');
  const start = words.findIndex((word) => !/^GSLS_\w+=/.test(word));
  const count = start === -1 ? words.length : start;
  const variables = words.slice(0, count).map((word) => /^(\w+)=(.*)$/.exec(word)!.slice(1));
  return complaintHere(2, words.slice(count), Object.fromEntries(variables) as Variables);
}

describe('a usage error', () => {
  /** What the complaint begins with. */
  const OF_THE_SERVICE: Readonly<Record<string, string>> = {
    '--prot 1': 'unknown option --prot; did you mean --port?',
    '-port 1': 'unknown option -port; did you mean --port?',
    '--redis-url x': 'unknown option --redis-url; did you mean --redis?',
    'reset --yse': 'unknown option --yse; did you mean --yes?',
    '--nonsense': 'unknown option --nonsense',
    '--unique-address=no': '--unique-address takes no value: give it alone, or leave it out',
    healthchek: 'unknown command healthchek; did you mean healthcheck?',
    start: 'there is no command start: gsls without a command starts the service',
    serve: 'there is no command serve: gsls without a command starts the service',
    '--port 8080 run': 'there is no command run: gsls without a command starts the service',
    'reset start': 'reset takes options only',
    nonsense:
      'no such command; there are demo, healthcheck, check, reset, ban, label, servers, remove, reports, mirror, announce, doctor, list, watch, simulate, key, beacon, conformance, options and help: gsls without a command starts the service, and a value with spaces needs quotes',
    init: 'no such command; there are ',
    status: 'no such command; there are ',
    games: 'no such command; there are ',
    'healthcheck extra': 'healthcheck takes options only',
    'help nonsense':
      'no such command or option; the commands are demo, healthcheck, check, reset, ban, label, servers, remove, reports, mirror, announce, doctor, list, watch, simulate, key, beacon, conformance and options, and gsls help options shows the options',
    'help tll': 'no such command or option; did you mean ttl?',
    '--port': '--port <port> needs a value',
    '--port 65536': '--port must be an integer from 0 to 65535, not "65536"',
    '--key-file /nowhere/keys': 'the key file /nowhere/keys cannot be read: ENOENT',
    '--details-schema /nowhere/schema': 'the details schema /nowhere/schema cannot be read: ENOENT',
    '--details-schema README.md': 'the details schema README.md is not valid JSON: ',
    'GSLS_PROT=1': 'unknown variable GSLS_PROT; did you mean GSLS_PORT?',
    'GSLS_NONSENSE=1': 'unknown variable GSLS_NONSENSE',
    'GSLS_PORT=tcp://10.0.0.1:53600':
      'GSLS_PORT is set by Kubernetes for a Service named gsls: set enableServiceLinks: false in the pod',
    mirror: 'gsls mirror needs --of, the URL of a registry whose list it hands out',
    'mirror --of nowhere':
      '--mirrors must be URLs like https://eu.example.com, each with a name or without: eu=https://…',
    reset: 'reset needs --redis: a registry in memory ends with its process',
    'reset --yes': 'reset needs --redis: a registry in memory ends with its process',
  };
  const OF_CLIENTS: Readonly<Record<string, string>> = {
    list: 'gsls list needs a url',
    'list localhost:53600':
      'the URL must be the address of a service, like https://list.example.com or http://localhost:53600',
    'list ftp://a':
      'the URL must be the address of a service, like https://list.example.com or http://localhost:53600',
    'list http://user:hunter2@127.0.0.1':
      'the URL must have no user and no password: the key is in GSLS_KEY or --key',
    'list http://127.0.0.1:1/?region=eu':
      'the URL must end before its query: write the parameters as words behind it',
    'list URL eu': '"eu" is no parameter: write it like region=eu',
    'list URL --colums name': 'unknown option --colums; did you mean --columns?',
    'list URL --columns nmae': '--columns has no column "nmae"; did you mean name?',
    'list URL --json --csv': '--json and --csv are two forms: give one of them',
    'list URL --json --columns id': '--json has all that the API tells: leave out --columns',
    'list URL --limit 0': '--limit must be an integer from 1 on, not "0"',
    'list URL limit=5 --limit 6': '--limit and limit= say the same: give one of them',
    watch: 'gsls watch needs a url',
    'watch URL limit=5': 'limit is for gsls list: gsls watch follows all that match',
    'watch URL cursor=x': 'cursor is for gsls list: gsls watch follows all that match',
    'watch URL sort=name': 'sort is for gsls list: gsls watch follows all that match',
    'watch URL --columns name': 'unknown option --columns',
    'simulate URL --servers many': '--servers must be an integer from 1 to 10000, not "many"',
    'simulate URL --seed 1.5': '--seed must be an integer from 0 to 4294967295, not "1.5"',
    'simulate URL now': 'gsls simulate takes options only behind its URL, and not "now"',
    'simulate http://8.8.8.8:53600':
      '8.8.8.8 is neither this machine nor in a private network: if the service is yours, repeat its name by --host-is 8.8.8.8',
    'simulate http://8.8.8.8 --host-is example.com': '--host-is names example.com, and the URL 8.8.8.8',
    'doctor URL': 'gsls doctor needs a host:port',
    'doctor URL play.example.com':
      'the game server must be like play.example.com:7777, 203.0.113.7:7777 or [2001:db8::7]:7777',
    'doctor URL 2001:db8::7:7777':
      'the game server must be like play.example.com:7777, 203.0.113.7:7777 or [2001:db8::7]:7777',
    'doctor URL a\tb:7777':
      'the game server must be like play.example.com:7777, 203.0.113.7:7777 or [2001:db8::7]:7777',
    'doctor URL a:0': 'the port of the game server must be from 1 to 65535',
    'doctor URL a:65536': 'the port of the game server must be from 1 to 65535',
    'doctor URL a:1 more': 'gsls doctor takes one game server, and URLs of services',
    'doctor URL a:1 --id ': '--id must be an id of 1 to 64 characters',
    'doctor URL a:1 --tokenfile x': 'unknown option --tokenfile; did you mean --token-file?',
    'doctor URL a:1 --token-file': '--token-file <path> needs a value',
    'doctor URL a:1 --token-file /nowhere/token': 'the token file /nowhere/token cannot be read: ENOENT',
  };
  const OF_ANNOUNCE: Readonly<Record<string, string>> = {
    'announce QUERY': 'announce needs --to, the URL of a service, like --to https://gsls.example.com',
    'announce TO':
      'announce needs --query a2s|quake3|minecraft|teeworlds HOST:PORT, --exec, --state or --config: where the game server says what it is',
    'announce --to ftp://localhost QUERY': '--to must be the URL of a service, like https://gsls.example.com',
    'announce TO --query a3s 127.0.0.1:27015':
      '--query must be one of a2s, quake3, minecraft, teeworlds, not "a3s"; did you mean a2s?',
    'announce TO --query a2s 127.0.0.1':
      '--query needs the address of the game server behind a2s, as in --query a2s 127.0.0.1:27015, with its port, and IPv6 in brackets',
    'announce TO --query a2s':
      '--query needs the address of the game server behind a2s, as in --query a2s 127.0.0.1:27015, with its port, and IPv6 in brackets',
    'announce TO 127.0.0.1:27015':
      'an address needs --query before it: --query a2s HOST:PORT; a value with spaces needs quotes',
    'announce TO QUERY more': 'gsls announce takes options only',
    'announce TO QUERY --state x': '--query and --state exclude each other: a game server has one source',
    'announce TO --exec status': '--exec needs --port as well: the port that players connect to',
    'announce TO --exec "status --port 1': '--exec must close its quote "',
    'announce TO QUERY --query-timeout 5000':
      '--query-timeout must be shorter than the 5 s of --query-interval',
    'announce TO QUERY --meta en':
      '--meta must be a JSON object in quotes of the shell, like \'{"language": "en"}\'',
    'announce TO QUERY --details {"mod":"x"}': '--details has no detail "mod"; did you mean mode?',
    'announce TO QUERY --name \u200b':
      '--name must be a text of 1 to 128 characters, some of them visible, and none a control or invisible character',
    'announce TO QUERY --ip here': '--ip must be auto, or an IPv4 or IPv6 address, not "here"',
    'announce TO QUERY --ops-host ::': '--ops-host needs --ops-port, the port that it is for',
    'announce TO QUERY --once --dry-run': '--once and --dry-run exclude each other: --dry-run sends nothing',
    'announce TO QUERY --intervall 5': 'unknown option --intervall',
    'announce TO QUERY --key-file /nowhere/key': 'the key file /nowhere/key cannot be read: ENOENT',
    'GSLS_ANNOUNCE_REGOIN=eu announce TO QUERY':
      'unknown variable GSLS_ANNOUNCE_REGOIN; did you mean GSLS_ANNOUNCE_REGION?',
    'GSLS_ANNOUNCE_TO=x announce QUERY':
      'GSLS_ANNOUNCE_TO must be the URL of a service, like https://gsls.example.com',
    'GSLS_ANNOUNCE_PORT=tcp://10.0.0.1:1 announce TO QUERY':
      'GSLS_ANNOUNCE_PORT is set by Kubernetes for a Service named gsls-announce: set enableServiceLinks: false in the pod',
    'announce --config /nowhere/servers.json':
      'the file of game servers /nowhere/servers.json cannot be read: ENOENT',
    'announce --config README.md': 'the file of game servers README.md is not valid JSON: ',
    'announce --config x QUERY':
      '--query cannot be used with --config: each game server of the file has its own',
  };
  for (const [line, complaint] of Object.entries({ ...OF_THE_SERVICE, ...OF_CLIENTS, ...OF_ANNOUNCE }))
    it(`${line} is one line`, async () => {
      expect((await complaintOf(line)).slice(0, complaint.length)).to.equal(complaint);
    });

  it('repeats no word that may be a key or a password', async () => {
    for (const line of [
      '--kye=hunter2',
      '--key my hunter2',
      'reset hunter2',
      'list http://user:hunter2@127.0.0.1',
      'announce TO QUERY --key hunter2\u0007',
      'announce --to https://user:hunter2@localhost QUERY',
      'announce TO QUERY --key=my hunter2',
    ])
      expect(await complaintOf(line)).to.not.include('hunter2');
  });

  const newPath = useDirectory();
  const FILES: readonly (readonly [content: object, rest: string])[] = [
    [{}, ' must have a list "servers" with 1 to 10000 game servers'],
    [{ to: 'http://a', servers: [{}] }, ', game server 1: announce needs --query'],
    [{ to: 'http://a', regoin: 'eu', servers: [{}] }, ': unknown "regoin"; did you mean region?'],
    [{ servers: [{ query: 'a2s 127.0.0.1:1' }] }, ', game server 1: announce needs --to'],
    [{ servers: [{ querry: 'a2s 127.0.0.1:1' }] }, ', game server 1: unknown "querry"; did you mean query?'],
    [{ to: 'http://a', servers: [[]] }, ', game server 1: must be a JSON object'],
    [
      { to: 'http://a', servers: [{ query: 'a2s 127.0.0.1:1', name: '' }] },
      ', game server 1: "name" must be a text of 1 to 128 characters',
    ],
    [
      { to: 'http://a', servers: [{ query: 'a2s 127.0.0.1:1' }, { query: 'quake3 127.0.0.1:1' }] },
      ': the game servers 1 and 2 have the same host and port',
    ],
  ];
  for (const [content, rest] of FILES)
    it(`a file of gsls announce with ${JSON.stringify(content)} is one line with its name`, async () => {
      const path = newPath();
      writeFileSync(path, JSON.stringify(content));
      const [, after, ...others] = (await complaintHere(2, ['announce', '--config', path])).split(path);
      expect(after!.slice(0, rest.length)).to.equal(rest);
      expect(others).to.deep.equal([]);
    });
});

describe('the help of a command for terminals', () => {
  for (const name of ['list', 'watch', 'simulate'])
    it(`${name} --help has examples, and lines of at most 80 columns`, async () => {
      const printed = await runHere([name, '--help']);
      expect(printed).to.match(new RegExp(`^Usage: gsls ${name} .*<url>`));
      expect(printed.match(new RegExp(`^ {2}gsls ${name} http`, 'gm'))).to.have.length.above(2);
      expect(printed.split('\n').filter((line) => line.length > 80)).to.deep.equal([]);
    });
});

describe('gsls reset', () => {
  it('fails with one line, without the password, while its Redis is away', async () => {
    const redis = `redis://user:secret@127.0.0.1:${await freePort()}`;
    expect(await complaintHere(1, ['reset', '--yes', '--redis', redis]))
      .to.match(/^Redis at 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED/)
      .and.not.include('secret');
  });
});
