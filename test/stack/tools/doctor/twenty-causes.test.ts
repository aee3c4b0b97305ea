/**
 * The twenty commonest causes why a game server is not where its players look for it, and the words that a person gets
 * who knows its address and nothing else. Each is a machine of its own in a small internet: real addresses, routers and
 * firewalls, and the programs as people start them.
 */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { needs } from '../../../support/needs.ts';
import { endProcesses, type RunningProcess } from '../../../support/processes.ts';
import { PROGRAM } from '../../../support/program.ts';
import { SmallInternet, type Machine } from '../../../support/small-internet.ts';
import { until } from '../../../support/until.ts';
import { useDirectory } from '../../../support/use-directory.ts';

const SERVICE = '9.9.9.9';
const SERVICE_V6 = '2620:fe::9';
const MACHINE_V6 = '2001:4860::7';
const PORT = 7777;
const GAME_SERVER = {
  server_host: 'game.example.com',
  server_name: 'A server',
  server_port: PORT,
  server_ip: 'auto',
  players: 1,
  max_players: 8,
};
/** Takes connections at the address and port behind it, and prints a line once it does. */
const LISTENING =
  "require('net').createServer((socket) => socket.destroy()).listen(process.argv[2], process.argv[1], () => console.log('listening'))";

/** The services, each at a port of its own. */
const SERVICES = {
  open: ['--allow-unlisted', '--unique-address', '--admin-key', 'boss'],
  verified: ['--verify', 'tcp'],
  strict: ['--verify-source'],
  small: ['--max-servers-per-address', '1', '--rate-limit', 'broadcast=2/h'],
  locked: ['--key', 'secret', '--public-read'],
  short: ['--ttl', '3'],
} as const;
type ServiceName = keyof typeof SERVICES;

const portOf = (name: ServiceName): number => 53_600 + Object.keys(SERVICES).indexOf(name);

/** One machine before one service. */
interface Stage {
  readonly machine: Machine;
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What a game server with these fields is answered. */
  readonly send: (path: string, fields?: object, ...curl: readonly string[]) => Promise<string>;
  /** A game server that takes connections at this address. */
  readonly listen: (address: string) => Promise<void>;
  readonly announce: (...options: readonly string[]) => Promise<void>;
}

interface CommonCause {
  readonly at: ServiceName;
  readonly happens: (stage: Stage) => Promise<unknown>;
  /** The address that the person asks about. Default: that of the machine, with PORT. */
  readonly asks?: string;
  readonly isBehindRouter?: true;
  readonly isByIpv6?: true;
  /** The lines of the output that begin so. */
  readonly Cause: RegExp;
  readonly Next: string;
}

const THE_START = 'start the game server and look in its log for the answer to its broadcast';
const LISTEN =
  'start the game server, let it listen on all addresses and not on 127.0.0.1, and check the port';
const FORWARD =
  'open the port in the firewall and forward it in the router, to the machine of the game server';

const TWENTY: Readonly<Record<string, CommonCause>> = {
  'was not started': {
    at: 'open',
    happens: async () => undefined,
    Cause:
      /^no game server at this address and port is known: it has not broadcast, or it has left the list \(/,
    Next: THE_START,
  },
  'announces another port': {
    at: 'open',
    happens: ({ send }) => send('broadcast', { server_port: 7778 }),
    Cause:
      /^no game server at this address and port is known, but others from your address are: 8\.8\.4\.\d+:7778, listed \(/,
    Next: 'if one of them is yours, correct its port or your question; else start the game server and look in its log',
  },
  'announces the address of another machine': {
    at: 'open',
    happens: ({ send }) => send('broadcast', { server_ip: '1.1.1.1' }),
    Cause:
      /^the game server announces another address than the one that you ask about: 1\.1\.1\.1:7777, listed \(/,
    Next: 'announce "auto" as server_ip, or the address by which players reach the game server',
  },
  'has stopped its pings': {
    at: 'short',
    async happens({ send }) {
      await send('broadcast');
      await until(async () => !(await send('')).includes('"port":7777'));
    },
    Cause: /^the entry has expired, because no ping came for one TTL: (just now|\d s ago) \(/,
    Next: 'look whether the game server runs and pings at the interval that Server-Ping-Interval says',
  },
  'announces an address that it does not send from': {
    at: 'strict',
    happens: ({ send }) => send('broadcast', { server_ip: '1.1.1.1' }),
    asks: '1.1.1.1:7777',
    Cause:
      /^the game server announces another address than the one that it sends from: 1\.1\.1\.1, and it sends from 8\.8\.4\.\d+ \(/,
    Next: 'announce "auto" as server_ip',
  },
  'runs twice': {
    at: 'open',
    async happens({ send }) {
      for (let process = 1; process <= 2; process += 1)
        await send('broadcast', {}, '-H', 'Server-Token: claim');
    },
    Cause: /^another entry has this host, IP and port, and it is claimed \(/,
    Next: 'give each game server a port of its own; after a restart send the Server-Token of the entry, or wait for one TTL',
  },
  'has lost its token in a restart': {
    at: 'open',
    async happens({ send }) {
      const { server_id } = JSON.parse(await send('broadcast', {}, '-H', 'Server-Token: claim')) as {
        readonly server_id: string;
      };
      await send('ping', { server_id });
    },
    Cause: /^the entry is claimed, and the request had no Server-Token or a wrong one \(/,
    Next: 'restart the game server: its program has to broadcast with the header Server-Token: claim',
  },
  'does not listen': {
    at: 'verified',
    happens: ({ send }) => send('broadcast'),
    Cause: /^nothing listens at the port: TCP 8\.8\.4\.\d+:7777 refused the connection \(/,
    Next: LISTEN,
  },
  'listens on 127.0.0.1 alone': {
    at: 'verified',
    async happens({ listen, send }) {
      await listen('127.0.0.1');
      await send('broadcast');
    },
    Cause: /^nothing listens at the port: TCP 8\.8\.4\.\d+:7777 refused the connection \(/,
    Next: LISTEN,
  },
  'is behind a firewall': {
    at: 'verified',
    async happens({ machine, listen, send }) {
      internet.firewall(machine, '-A', 'INPUT', '-p', 'tcp', '--dport', '7777', '-j', 'DROP');
      await listen('0.0.0.0');
      await send('broadcast');
    },
    Cause: /^a firewall or a router keeps the port closed: no answer on TCP 8\.8\.4\.\d+:7777 within 3 s \(/,
    Next: FORWARD,
  },
  'is behind a router that does not forward its port': {
    at: 'verified',
    isBehindRouter: true,
    async happens({ listen, send }) {
      await listen('0.0.0.0');
      await send('broadcast');
    },
    Cause: /^a firewall or a router keeps the port closed: no answer on TCP 8\.8\.4\.\d+:7777 within 3 s \(/,
    Next: FORWARD,
  },
  'announces its address at home': {
    at: 'open',
    isBehindRouter: true,
    happens: ({ send }) => send('broadcast', { server_ip: '192.168.0.7' }),
    Cause:
      /^the address is one of a private network, which players on the internet cannot reach: 192\.168\.0\.7 \(/,
    Next: 'announce the public address, or "auto", and forward the port in the router',
  },
  'announces the address of its container': {
    at: 'open',
    happens: ({ send }) => send('broadcast', { server_ip: '172.17.0.2' }),
    Cause: /^the address is one of a Docker bridge, which exists inside one machine only: 172\.17\.0\.2 \(/,
    Next: 'announce the public address of the machine instead, or run the container with network_mode: host',
  },
  'connects by IPv6 and announces IPv4': {
    at: 'verified',
    isByIpv6: true,
    happens: ({ machine, send }) => send('broadcast', { server_ip: machine.address }),
    Cause:
      /^one address is IPv4 and the other is IPv6, and the service sees two machines: 8\.8\.4\.\d+, and the service sees you at 2001:4860::7 \(/,
    Next: 'connect to the service by the kind of address that the game server announces',
  },
  'is banned': {
    at: 'open',
    async happens({ send }) {
      const ban = { name: 'casino*', reason: 'ads', author: 'ann' };
      await send('admin/bans', ban, '-H', 'Authorization: boss');
      await send('broadcast', { server_name: 'Casino 1' });
    },
    Cause: /^a moderator has banned this game server: ads \(/,
    Next: 'ask the operator of the service',
  },
  'is one too many for its address': {
    at: 'small',
    async happens({ send }) {
      await send('broadcast', { server_port: 7778 });
      await send('broadcast');
    },
    Cause: /^as many game servers of this address are listed as may be: 1 of 1 \(/,
    Next: 'ask the operator of the service to name the address in --quota-exempt',
  },
  'broadcasts too often': {
    at: 'small',
    async happens({ send }) {
      for (let attempt = 1; attempt <= 3; attempt += 1) await send('broadcast', { server_ip: 'nonsense' });
    },
    Cause: /^this address sends more requests than the service takes: 2 of the kind "broadcast" in 3600 s \(/,
    Next: 'wait as long as Retry-After says, and ping at the interval that Server-Ping-Interval says',
  },
  'lacks the key of the service': {
    at: 'locked',
    happens: ({ send }) => send('broadcast'),
    Cause: /^the service wants a key, and the request had none or a wrong one \(/,
    Next: 'ask the operator of the service for the key, and set it in the game server',
  },
  'says something of itself that is not possible': {
    at: 'open',
    happens: ({ send }) => send('broadcast', { players: -1 }),
    Cause:
      /^the service refused what the game server says of itself: players must be an integer from 0 to 1000000 \(/,
    Next: 'correct the fields that are named, in the settings of the game server',
  },
  'is unlisted, and gsls announce lists it': {
    at: 'open',
    happens: ({ announce }) => announce('--unlisted'),
    Cause: /^the entry is unlisted: no list shows it, and players find it by its join code: [0-9A-Z]{10} \(/,
    Next: 'give players the join code, or broadcast again without "unlisted"',
  },
};

let internet: SmallInternet;

needs('ip', 'iptables', 'curl', 'network namespaces').describe(
  'gsls doctor names the cause and the next step of a game server that',
  function () {
    this.timeout(120_000);
    const newPath = useDirectory();

    before(async () => {
      internet = new SmallInternet(`gsls-doctor-${process.pid}`, SERVICE);
      const started = Object.entries(SERVICES).map(([name, options]) => {
        const words = ['--port', String(portOf(name as ServiceName)), ...options];
        return internet.start(internet.middle, [...PROGRAM, ...words]);
      });
      for (const each of started)
        await until(() => each.lines.some((line) => line.includes('listening on')), each);
    });
    const games: RunningProcess[] = [];
    afterEach(() => Promise.all(games.splice(0).map((game) => game.stop('SIGKILL'))));
    after(async () => {
      await endProcesses();
      internet.close();
    });

    for (const [at, [title, row]] of Object.entries(TWENTY).entries())
      it(title, async () => {
        const stage = openStage(row, `8.8.4.${at + 1}`);
        await row.happens(stage);
        const { machine, url, environment } = stage;
        const asked = row.asks ?? `${machine.address}:${PORT}`;
        const printed = await internet.gsls(machine, ['doctor', url, asked], environment);
        const lineOf = (name: string): string | undefined =>
          new RegExp(`^${name}: (.*)$`, 'm').exec(printed)?.[1];
        expect(lineOf('Cause'), printed).to.match(row.Cause);
        expect(lineOf('Next'), printed).to.equal(row.Next);
      });

    function openStage(row: CommonCause, address: string): Stage {
      const machine = row.isBehindRouter ? internet.joinBehindRouter(address) : internet.join(address);
      if (row.isByIpv6) internet.addIpv6(machine, MACHINE_V6, SERVICE_V6);
      const url = `http://${row.isByIpv6 ? `[${SERVICE_V6}]` : SERVICE}:${portOf(row.at)}`;
      const environment = { XDG_STATE_HOME: newPath() };
      return {
        machine,
        url,
        environment,
        send(path, fields = {}, ...curl) {
          const body = path.startsWith('admin') ? fields : { ...GAME_SERVER, ...fields };
          const data = path === '' ? [] : ['--data', JSON.stringify(body)];
          return internet.run(machine, ['curl', '--silent', '--globoff', `${url}/${path}`, ...curl, ...data]);
        },
        async listen(host) {
          const game = internet.start(machine, ['-e', LISTENING, host, String(PORT)]);
          games.push(game);
          await until(() => game.lines.length > 0, game);
        },
        async announce(...options) {
          const state = newPath();
          writeFileSync(state, JSON.stringify({ server_name: 'By file', players: 1, max_players: 8 }));
          const words = ['announce', '--to', url, '--state', state, '--port', String(PORT), ...options];
          const announce = internet.start(machine, [...PROGRAM, ...words], environment);
          games.push(announce);
          await until(() => announce.lines.some((line) => line.includes('listed as')), announce);
        },
      };
    }
  },
);
