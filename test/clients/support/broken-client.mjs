/**
 * `node broken-client.mjs PROGRAM FAULT`: the program of a client that does all it has to, with one fault that is
 * planted into what it has of the world: its requests, their answers, chance, and what it says.
 */

import { pathToFileURL } from 'node:url';

const [program, fault] = process.argv.slice(2);

/** Changes the headers of each request, or adds to the request. */
const onRequest = (change) =>
  replaceFetch((send, url, request) => {
    const headers = new Headers(request.headers);
    return send(url, { ...request, headers, ...change(headers, url) });
  });
/** Puts another answer in the place of those that it gives one for. */
const onAnswer = (change) =>
  replaceFetch(async (send, url, request) => {
    const answer = await send(url, request);
    return (await change(answer)) ?? answer;
  });
/** Changes the text of each answer, piece by piece, and adds to its end, however it ends. */
const onText = (change, end = '') =>
  onAnswer(({ body, status, headers }) => {
    if (body === null) return undefined;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    const changed = new ReadableStream({
      async pull(controller) {
        const { value, done } = await reader.read().catch(() => ({ done: true }));
        controller.enqueue(new TextEncoder().encode(done ? end : change(value)));
        if (done) controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    });
    return new Response(changed, { status, headers });
  });

const json = (status, body) => new Response(JSON.stringify(body), { status });
const success = (id) => json(200, { status: 'success', server_id: id });
const gone = () => json(404, { status: 'error', error: 'gone', code: 'unknown_server' });
const isHtml = ({ headers }) => headers.get('Content-Type') === 'text/html';
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** By name: what plants it. */
const FAULTS = {
  'another key each time': () =>
    onRequest((headers) => {
      if (headers.has('Idempotency-Key')) headers.set('Idempotency-Key', crypto.randomUUID());
    }),
  'one key for all entries': () => {
    const key = crypto.randomUUID();
    onRequest((headers) => {
      if (headers.has('Idempotency-Key')) headers.set('Idempotency-Key', key);
    });
  },
  'a claim with each broadcast': () =>
    onRequest((headers) => {
      if (headers.has('Idempotency-Key')) headers.set('Server-Token', 'claim');
    }),
  'pings without a token': () =>
    onRequest((headers, { pathname }) => {
      if (pathname === '/ping') headers.delete('Server-Token');
    }),
  'each ping twice': () =>
    replaceFetch(async (send, url, request) => {
      if (url.pathname === '/ping') await (await send(url, request)).text();
      return send(url, request);
    }),
  'no remove': () =>
    replaceFetch((send, url, request) =>
      url.pathname === '/remove' ? Promise.resolve(success('gone')) : send(url, request),
    ),
  'redirects followed': () => onRequest(() => ({ redirect: 'follow' })),
  'a 503 taken for the loss of the entry': () =>
    onAnswer(({ status }) => (status === 503 ? gone() : undefined)),
  'a page taken for a success': () =>
    onAnswer((answer) => (isHtml(answer) && answer.status === 200 ? success('page') : undefined)),
  'a 404 of a proxy taken for that of the service': () =>
    onAnswer((answer) => (isHtml(answer) && answer.status === 404 ? gone() : undefined)),
  'half an answer taken for a whole one': () =>
    onAnswer((answer) => {
      const read = answer.clone().text();
      return read.then(
        () => undefined,
        () => success('half'),
      );
    }),
  'an answer of any size': () =>
    onAnswer(async (answer) => {
      if (Number(answer.headers.get('Content-Length')) < 5_000_000) return undefined;
      await answer.text();
      return success('large');
    }),
  'no Retry-After': () => onAnswer((answer) => without(answer, 'Retry-After')),
  'an interval of its own': () => onAnswer((answer) => without(answer, 'Server-Ping-Interval')),
  'no chance in its pauses': () => {
    Math.random = () => 0.5;
  },
  'any certificate': () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  },
  'a token in the log': () =>
    onRequest((headers) => say({ log: `sends the token ${headers.get('Server-Token')}` })),
  'control characters in the log': () => onAnswer(({ status }) => say({ log: `\u001b[1m${status}` })),
  'a call that waits for the network': () => {
    let underWay = Promise.resolve();
    replaceFetch((send, url, request) => {
      const answer = send(url, request);
      underWay = answer.then(
        () => undefined,
        () => undefined,
      );
      return answer;
    });
    delayLine('did', () => underWay);
  },
  'no ears for SIGTERM': () => {
    process.once = (name, listener) => (name === 'SIGTERM' ? process : process.on(name, listener));
  },
  'an id given up at a stop': () =>
    replaceFetch((send, url, request) =>
      send(url, { ...request, body: request.body?.replace(',"keep_id":true', '') }),
    ),
  'a stop that ends nothing': () => {
    process.exit = () => undefined;
  },
  'half sentences in the log': () => onAnswer(({ status }) => say({ log: `again in ${status} s` })),
  'no compression': () => onRequest((headers) => headers.set('Accept-Encoding', 'identity')),
  'a list without its ETag': () => onRequest((headers) => headers.delete('If-None-Match')),
  'a Warning unseen': () => onAnswer((answer) => without(answer, 'Warning')),
  'servers without an id left out': () =>
    onText((text) => {
      try {
        const body = JSON.parse(text);
        return JSON.stringify({ ...body, servers: body.servers.filter(({ id }) => typeof id === 'string') });
      } catch {
        return text;
      }
    }),
  'pages of another query': () =>
    replaceFetch((send, url, request) => {
      if (url.searchParams.has('cursor')) url.searchParams.delete('region');
      return send(url, request);
    }),
  'polls alone': () =>
    onRequest((headers) => {
      if (headers.get('Accept') === 'text/event-stream') headers.set('Accept', 'application/json');
    }),
  'a place forgotten': () =>
    replaceFetch((send, url, request) => {
      url.searchParams.delete('since');
      return send(url, request);
    }),
  'removals unseen': () => onText((text) => text.replaceAll(/"removed":\[[^\]]*\]/g, '"removed":[]')),
  'bookmarks unseen': () => onText((text) => text.replaceAll(/^id: \S+\n\n/gm, ':\n\n')),
  'a retry unseen': () => onText((text) => text.replaceAll(/^retry: \d+\n/gm, '')),
  'an event that was cut taken for a whole one': () => onText((text) => text, '\n\n'),
  'a stop that takes its time': () => delayLine('stopped', () => pause(5000)),
};

function replaceFetch(fetchInstead) {
  const { fetch: send } = globalThis;
  globalThis.fetch = (url, request) => fetchInstead(send, new URL(url), request);
}

function without({ body, status, headers: told }, name) {
  const headers = new Headers(told);
  headers.delete(name);
  return new Response(body, { status, headers });
}

function say(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Holds back a line that says this, and nothing else. */
function delayLine(name, wait) {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = (line) => {
    if (line.startsWith(`{"${name}"`)) void wait().then(() => write(line));
    else write(line);
    return true;
  };
}

FAULTS[fault]();
process.argv = [process.argv[0], program];
await import(pathToFileURL(program).href);
