/**
 * The program by which `gsls conformance` judges this client (docs/write-a-client.md):
 *
 *     node clients/typescript/build.mjs
 *     gsls conformance -- node clients/typescript/conformance.mjs
 */

import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CAN = ['announce', 'list', 'find', 'watch', 'stream', 'gzip', 'key', 'token_file', 'tls', 'ipv6'];

/**
 * Answers the lines of the kit until they end. All of it can be replaced, to see that the kit finds faults: `client`,
 * the package; `lines`, an async iterable of texts; `say`, which takes what is to be written; `plant`, which makes
 * another environment of the one that the client would get.
 */
export async function runConformance({
  client,
  lines = createInterface({ input: process.stdin }),
  say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
  plant = (environment) => environment,
} = {}) {
  const { announce, find, list, watch } = client ?? (await import('./dist/index.js'));
  let clock;
  let stop;
  let previous;

  /** What the client takes of a line. */
  function optionsOf({ now, key, timeout_ms: timeoutMs, token_file: tokenFile }) {
    clock?.stop();
    clock = now === undefined ? undefined : new KitClock(now, say);
    const environment = plant({
      fetch: (url, request) => fetch(url, request),
      random: () => Math.random(),
      ...clock?.environment,
    });
    return { key, timeoutMs, tokenFile, environment, log: (line) => say({ log: line }) };
  }
  const sayServers = ({ servers, staleSince }) =>
    say({
      servers: {
        ids: servers.map(({ id }) => id),
        names: servers.map(({ name }) => name),
        stale: staleSince !== undefined,
      },
    });

  const does = {
    start({ url, fields, ...rest }) {
      const announcement = announce(url, fields, optionsOf(rest));
      does.players = (players) => {
        announcement.update({ players });
        say({ did: 'players' });
      };
      stop = () => announcement.stop();
    },
    now: (ms) => clock.set(ms),
    players: () => undefined,
    async stop() {
      await stop?.();
      clock?.stop();
      say({ stopped: true });
    },
    async list({ url, ...rest }) {
      try {
        previous = await list(url, { ...optionsOf(rest), previous });
        sayServers(previous);
      } catch ({ message }) {
        say({ failed: message });
      }
    },
    async find({ url, query, ...rest }) {
      try {
        sayServers(await find(url, query, optionsOf(rest)));
      } catch ({ message }) {
        say({ failed: message });
      }
    },
    async watch({ url, query, ...rest }) {
      const watched = watch(url, query, optionsOf(rest));
      stop = () => watched.return();
      for await (const news of watched)
        if (news.problem === undefined) sayServers(news);
        else say({ log: news.problem });
    },
  };

  say({ ready: { name: 'gsls-client for TypeScript', can: CAN } });
  for await (const line of lines)
    for (const [what, told] of Object.entries(JSON.parse(line))) void does[what]?.(told);
}

/** A clock that the kit drives. It says when the client sleeps: when it has a timer, and waits for no answer. */
class KitClock {
  #now;
  #say;
  #timers = new Set();
  /** Of answers: those take real time. */
  #silences = new Set();
  #isStopped = false;

  constructor(now, say) {
    [this.#now, this.#say] = [now, say];
  }

  environment = {
    now: () => this.#now,
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
      } else if (this.#silences.size === 0) this.#say({ waits: next.dueAt, at: this.#now });
    });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runConformance();
  process.exit();
}
