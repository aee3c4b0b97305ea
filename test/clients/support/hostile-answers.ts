/** What a hostile service may answer to the first request of a client: bytes, and how they come. */

import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** Answers a request on this connection. `elsewhere`: the port of another service, which is to be asked for nothing. */
export type HostileAnswer = (socket: Socket, elsewhere: number) => void;

const JSON_TYPE = 'Content-Type: application/json\r\n';
const HEAD = `HTTP/1.1 200 OK\r\n${JSON_TYPE}`;
const LISTED = JSON.stringify({ status: 'success', server_id: 'a' });

/** One answer with its length, and with these headers. */
function answer(body: string | Buffer, headers = '', status = '200 OK'): HostileAnswer {
  const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return (socket) => {
    socket.write(`HTTP/1.1 ${status}\r\n${JSON_TYPE}${length}${headers}\r\n`);
    socket.write(body);
  };
}

/** Sends the beginning, then the piece again and again, as fast as it is taken. */
function endlessly(beginning: string, piece: string | Buffer): HostileAnswer {
  return (socket) => {
    socket.write(beginning);
    const pour = (): void => {
      while (!socket.destroyed && socket.write(piece)) continue;
    };
    socket.on('drain', pour);
    pour();
  };
}

/** Sends the bytes one by one, each before a client may take the connection for dead. */
function dripping(beginning: string, bytes: string): HostileAnswer {
  return (socket) => {
    socket.write(beginning);
    let at = 0;
    const timer = setInterval(() => socket.write(bytes[at++ % bytes.length]!), 20);
    socket.once('close', () => clearInterval(timer));
  };
}

const error = (words: string, more = {}): string =>
  JSON.stringify({ status: 'error', error: words, code: 'unavailable', ...more });
const chunk = (data: Buffer | string): Buffer =>
  Buffer.concat([
    Buffer.from(`${Buffer.byteLength(data).toString(16)}\r\n`),
    Buffer.from(data),
    Buffer.from('\r\n'),
  ]);
const MIB = 2 ** 20;
/** Unpacked it is more than any answer may have. */
const BOMB = gzipSync(Buffer.alloc(80 * MIB, ' '));

/** After each of these a client asks again, and is listed by the next answer. */
export const PASSING: Readonly<Record<string, HostileAnswer>> = {
  'a body without an end': endlessly(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, chunk('x'.repeat(65_536))),
  'a body without a length and without an end': endlessly(`${HEAD}\r\n`, 'x'.repeat(65_536)),
  'headers without an end': endlessly(HEAD, `X-Header: ${'x'.repeat(1000)}\r\n`.repeat(64)),
  'one header without an end': endlessly(`${HEAD}X-Header: `, 'x'.repeat(65_536)),
  'a folded header without an end': endlessly(
    `${HEAD}X-Header: a\r\n`,
    ` ${'x'.repeat(1000)}\r\n`.repeat(64),
  ),
  'interim answers without an end': endlessly(
    '',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1000),
  ),
  'a 100 without an end': endlessly('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000)),
  'chunks with extensions without an end': endlessly(
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n1;`,
    'x'.repeat(65_536),
  ),
  'trailers without an end': endlessly(
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n`,
    `X-Header: ${'x'.repeat(1000)}\r\n`.repeat(64),
  ),
  'a status line without an end': endlessly('HTTP/1.1 200 ', 'x'.repeat(65_536)),
  'headers that drip': dripping(HEAD, `X: ${'x'.repeat(70)}\r\n`),
  'a body that drips': dripping(`${HEAD}Content-Length: 1000000\r\n\r\n`, ' '),
  'a body that is far larger unpacked': answer(BOMB, 'Content-Encoding: gzip\r\n'),
  'a hundred thousand levels': answer(`{"status":"success","server_id":${'['.repeat(100_000)}`),
  'a thousand levels': answer(`{"status":"success","server_id":${'['.repeat(1000)}${']'.repeat(1000)}}`),
  NaN: answer('{"status":"success","server_id":"a","n":NaN}'),
  'values of wrong types': answer(
    '{"status":["success"],"server_id":{"a":1},"error":7,"code":[]}',
    '',
    '404 x',
  ),
  'a list': answer('[{"status":"success","server_id":"a"}]'),
  'no HTTP': (socket) => socket.end('220 mail.example.com ESMTP\r\n'),
  zeros: (socket) => socket.end(Buffer.alloc(10_000)),
  'HTTP of another world': (socket) => socket.end(`HTTP/9.9 999 \x00\x07\r\n\r\n${LISTED}`),
  'a length below zero': (socket) => socket.end(`${HEAD}Content-Length: -5\r\n\r\n{}`),
  'a length beyond all numbers': (socket) => socket.end(`${HEAD}Content-Length: ${'9'.repeat(40)}\r\n\r\n{}`),
  'a chunk beyond all numbers': (socket) =>
    socket.end(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\n{}`),
  'another protocol': (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  ...Object.fromEntries(
    ['301', '302', '303', '307', '308'].map((status): [string, HostileAnswer] => [
      `a ${status} to another place`,
      (socket, elsewhere) =>
        answer('{}', `Location: http://127.0.0.1:${elsewhere}/\r\n`, `${status} x`)(socket, elsewhere),
    ]),
  ),
  'a redirect to a file': answer('{}', 'Location: file:///etc/hostname\r\n', '302 x'),
  'a redirect to another protocol': (socket, elsewhere) =>
    answer('{}', `Location: gopher://127.0.0.1:${elsewhere}/_x\r\n`, '302 x')(socket, elsewhere),
  'a redirect to nowhere': answer('{}', 'Location: \r\n', '302 x'),
  'a redirect with an error of GSLS': answer(error('x', { code: 'not_owner' }), 'Location: /\r\n', '302 x'),
  'a proxy to go through': (socket, elsewhere) =>
    answer('{}', `Location: http://127.0.0.1:${elsewhere}/\r\n`, '305 x')(socket, elsewhere),
  'a call for credentials of a proxy': answer('{}', 'Proxy-Authenticate: Basic realm="x"\r\n', '407 x'),
  'a call for other credentials': answer(
    '{}',
    'WWW-Authenticate: NTLM\r\nWWW-Authenticate: Digest realm="x",nonce="y"\r\n',
    '401 x',
  ),
  'another place by other headers': (socket, elsewhere) =>
    answer(
      '{}',
      `Alt-Svc: http/1.1="127.0.0.1:${elsewhere}"\r\nRefresh: 0;url=http://127.0.0.1:${elsewhere}/\r\nContent-Location: http://127.0.0.1:${elsewhere}/\r\nLink: <http://127.0.0.1:${elsewhere}/>; rel=preload\r\n`,
    )(socket, elsewhere),
  'a pause that is no number': answer(error('x'), 'Retry-After: NaN\r\n', '503 x'),
  'a pause below zero': answer(error('x'), 'Retry-After: -1e9\r\n', '503 x'),
  'a pause that is no date': answer(
    error('x'),
    'Retry-After: Xxx, 99 Xxx 99999999999 99:99:99 +9999\r\n',
    '503 x',
  ),
  'a date before all dates': answer(
    error('x'),
    'Retry-After: Mon, 01 Jan 0000 00:00:00 GMT\r\nDate: x\r\n',
    '503 x',
  ),
  'words that write on a screen': answer(
    error(`\u001b[2J\r\nGSLS: all is well\u202e${'\\'.repeat(500)}`),
    '',
    '503 x',
  ),
  'words without an end': answer(error('x'.repeat(MIB / 2)), '', '503 x'),
  'two answers at once': (socket) => {
    const { length } = LISTED;
    socket.write(
      `HTTP/1.1 503 x\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nServer-Token: evil\r\nContent-Length: ${length}\r\n\r\n${LISTED}`,
    );
  },
  'nothing, and the end': (socket) => socket.destroy(),
  'a reset': (socket) => socket.resetAndDestroy(),
};

/** These are no success; some clients wait for a person after them. */
export const WRONG: Readonly<Record<string, HostileAnswer>> = {
  'a number of a million digits': answer(`{"status":"success","server_id":${'9'.repeat(1_000_000)}}`),
  'a text that is no UTF-8': answer(Buffer.from('{"status":"succ\xffess","server_id":"\xc3"}', 'latin1')),
  'an id that is no text': answer('{"status":"success","server_id":7}'),
};

/** These list the game server, and have to change nothing else. */
export const LISTING: Readonly<Record<string, HostileAnswer>> = {
  'intervals that are none': answer(LISTED, 'Server-Ping-Interval: NaN\r\n'),
  'an interval without an end': answer(LISTED, 'Server-Ping-Interval: Infinity\r\n'),
  'an interval beyond all numbers': answer(LISTED, `Server-Ping-Interval: ${'9'.repeat(1000)}\r\n`),
  'an interval below zero': answer(LISTED, 'Server-Ping-Interval: -20\r\n'),
  'an interval of nothing': answer(LISTED, 'Server-Ping-Interval: 0\r\n'),
  'a tiny interval': answer(LISTED, 'Server-Ping-Interval: 1e-9\r\n'),
  'a token with a line of its own': answer(LISTED, 'Server-Token: a\r\n\tInjected: yes\r\n'),
  'a token with control characters': answer(LISTED, 'Server-Token: a\x01b\x7f\r\n'),
  'a token beyond all headers': answer(LISTED, `Server-Token: ${'a'.repeat(60_000)}\r\n`),
  'a token that is no ASCII': answer(LISTED, 'Server-Token: \xff\xfe\r\n'),
  cookies: answer(LISTED, 'Set-Cookie: a=b; Path=/\r\nSet-Cookie2: c=d\r\n'),
  'an id with lines of its own': answer(
    JSON.stringify({ status: 'success', server_id: 'a\r\nInjected: yes\r\n\r\n\u001b[2J' }),
  ),
  'an id without an end': answer(JSON.stringify({ status: 'success', server_id: 'x'.repeat(MIB / 2) })),
  'half a character as an id': answer('{"status":"success","server_id":"\\ud800"}'),
};

const SERVER = {
  id: 'a',
  host: 'a',
  name: 'a',
  ip: '::1',
  port: 1,
  players: 0,
  max_players: 1,
  registered_at: 'x',
};
const server = (more: string): string => `${JSON.stringify(SERVER).slice(0, -1)},${more}}`;
const changes = (servers: string, more = '"tag":"1"'): string =>
  `{"status":"success","servers":[${servers}],"removed":[],"full":true,${more}}`;
const EVENTS = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n';

/** What a reader may be told: it does not read it, or goes on with what it is told next. */
export const READ: Readonly<Record<string, HostileAnswer>> = {
  'a list without an end': endlessly(
    `${HEAD}Transfer-Encoding: chunked\r\n\r\n`,
    chunk('[],'.repeat(20_000)),
  ),
  'a list that is far larger unpacked': answer(BOMB, 'Content-Encoding: gzip\r\n'),
  'a list in no format': answer('x', 'Content-Encoding: gzip\r\n'),
  'half a character as a place in the list': answer(changes('', '"tag":"\\ud800","next":"\\ud800"')),
  'a place in the list with lines of its own': answer(
    changes('', '"tag":"a\\r\\nInjected: yes","next":"a\\r\\nInjected: yes"'),
  ),
  'NaN for players': answer(changes(server('"players":NaN'))),
  'more players than there are numbers': answer(changes(server('"players":1e999,"port":-1e999'))),
  'a number of a million digits in a server': answer(changes(server(`"n":${'9'.repeat(1_000_000)}`))),
  'a server of a thousand levels': answer(
    changes(server(`"meta":${'{"a":'.repeat(900)}1${'}'.repeat(900)}`)),
  ),
  'half characters in a server': answer(changes(server('"name":"\\ud800","map":"\\udc00"'))),
  'members of JavaScript': answer(changes(server('"__proto__":{"a":1},"constructor":1,"toString":null'))),
  'a server in the place of a list': answer(
    '{"status":"success","servers":{"0":{}},"removed":{},"full":1,"tag":2}',
  ),
  'the same server a thousand times': answer(
    changes(Array.from({ length: 1000 }, () => server('"x":1')).join()),
  ),
  'a stream of one line': endlessly(EVENTS, 'x'.repeat(65_536)),
  'a stream that is no UTF-8': (socket) =>
    socket.end(Buffer.from(`${EVENTS}event: changes\ndata: \xff\n\n`, 'latin1')),
  'a stream with a deep event': (socket) =>
    socket.end(`${EVENTS}event: changes\ndata: {"servers":${'['.repeat(100_000)}\n\n`),
  'a stream with an id of its own lines': (socket) =>
    socket.end(
      `${EVENTS}id: a\0b\nevent: changes\ndata: ${changes('')}\n\nid: \ud800\n\nretry: 99999999999999999\n\n`,
    ),
};
