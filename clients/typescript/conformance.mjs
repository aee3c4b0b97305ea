/**
 * The program by which `gsls conformance` judges this client (docs/write-a-client.md). It talks with the kit in lines
 * of JSON on standard input and output.
 *
 *     node clients/typescript/build.mjs
 *     gsls conformance -- node clients/typescript/conformance.mjs
 */

import { createInterface } from 'node:readline';
import { announce, find, list, nearest, report, watch } from './dist/index.js';

const CAN = [
  'announce',
  'list',
  'find',
  'watch',
  'stream',
  'gzip',
  'key',
  'token_file',
  'tls',
  'ipv6',
  'sigterm',
  'urls',
  'keep',
  'report',
  'latency',
  'nearest',
];

/** A clock that the kit drives. It says when the client sleeps: when a timer runs, and no answer is awaited. */
class KitClock {
  #now;
  #timers = new Set();
  /** Of answers: they take real time. */
  #silences = new Set();
  /** How many answers are awaited. */
  #awaited = 0;
  #isStopped = false;

  constructor(now) {
    this.#now = now;
  }

  environment = {
    now: () => this.#now,
    fetch: async (url, request) => {
      // It does not sleep while a ping is under way, though what is measured next is an hour away.
      if (request.method !== 'POST') return fetch(url, request);
      this.#awaited += 1;
      try {
        const response = await fetch(url, request);
        const body = await response.arrayBuffer();
        return new Response(body.byteLength === 0 ? null : body, response);
      } finally {
        this.#awaited -= 1;
        this.#look();
      }
    },
    after: (ms, task) => {
      const timer = { dueAt: this.#now + ms, task };
      this.#timers.add(timer);
      this.#look();
      return () => this.#timers.delete(timer);
    },
    afterSilence: (ms, task) => {
      const silence = setTimeout(() => {
        this.#silences.delete(silence);
        task();
      }, ms);
      this.#silences.add(silence);
      return () => {
        clearTimeout(silence);
        this.#silences.delete(silence);
      };
    },
  };

  set(ms) {
    this.#now = ms;
    this.#look();
  }

  stop() {
    this.#isStopped = true;
  }

  /** Does what is due, or says until when the client sleeps: once all is done that needs no time. */
  #look() {
    setImmediate(() => {
      const [next] = [...this.#timers].toSorted((a, b) => a.dueAt - b.dueAt);
      if (next === undefined || this.#isStopped) return;
      if (next.dueAt <= this.#now) {
        this.#timers.delete(next);
        next.task();
        this.#look();
      } else if (this.#silences.size + this.#awaited === 0) say({ waits: next.dueAt, at: this.#now });
    });
  }
}

/** Those of the scene that is played. */
let clock;
let announcement;
let stop;
let lastList;

const does = {
  start({ url, fields, ...rest }) {
    announcement = announce(url, fields, optionsOf(rest));
    stop = ({ keep_id: keepId } = {}) => announcement.stop({ keepId });
  },
  now: (ms) => clock.set(ms),
  players(players) {
    announcement.update({ players });
    say({ did: 'players' });
  },
  async stop(how) {
    await stop(how);
    clock?.stop();
    say({ stopped: true });
  },
  async list({ url, urls = url, ...rest }) {
    await sayFailure(async () => {
      lastList = await list(urls, { ...optionsOf(rest), previous: lastList });
      sayServers(lastList);
    });
  },
  async find({ url, urls = url, query, ...rest }) {
    await sayFailure(async () => sayServers(await find(urls, query, optionsOf(rest))));
  },
  async nearest({ url, urls = url, query, ...rest }) {
    await sayFailure(async () => sayServers(await nearest(urls, query, optionsOf(rest))));
  },
  async watch({ url, urls = url, query, ...rest }) {
    const watched = watch(urls, query, optionsOf(rest));
    stop = () => watched.return();
    for await (const news of watched) {
      if (news.problem !== undefined) say({ log: news.problem });
      // A failure alone changes no server.
      if (news.problem === undefined || news.changed.length > 0) sayServers(news);
    }
  },
  async report({ url, urls = url, id, reason, note, ...rest }) {
    await sayFailure(async () => {
      await report(urls, id, reason, { ...optionsOf(rest), note });
      say({ reported: true });
    });
  },
};

function optionsOf({ now, key, timeout_ms: timeoutMs, token_file: tokenFile, keep }) {
  clock?.stop();
  clock = now === undefined ? undefined : new KitClock(now);
  return {
    key,
    timeoutMs,
    tokenFile,
    keep,
    environment: clock?.environment,
    log: (line) => say({ log: line }),
  };
}

async function sayFailure(ask) {
  try {
    await ask();
  } catch ({ message }) {
    say({ failed: message });
  }
}

function sayServers({ servers, staleSince }) {
  const [ids, names] = ['id', 'name'].map((field) => servers.map((server) => server[field]));
  say({ servers: { ids, names, stale: staleSince !== undefined } });
}

function say(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

process.once('SIGTERM', async () => {
  await announcement?.stop();
  process.exit();
});
say({ ready: { name: 'gsls-client', can: CAN } });
for await (const line of createInterface({ input: process.stdin }))
  for (const [what, told] of Object.entries(JSON.parse(line))) void does[what]?.(told);
process.exit();
