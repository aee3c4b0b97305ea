/**
 * The picture of the README: a run in a terminal, against the real program and a real Redis, drawn as an SVG. Needs
 * redis-server and redis-cli. `npm run generate -- picture` writes docs/picture.svg; a test holds the file to the
 * program.
 */

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startRedisServer } from '../test/support/redis-server.ts';
import { startListeningCli } from '../test/support/start-cli.ts';

const PICTURE = new URL('../docs/picture.svg', import.meta.url);

/** The game server of the run, in the file that the commands name. */
const FRANKFURT = {
  server_host: 'eu1.example.com',
  server_name: 'Frankfurt 1',
  server_port: 7777,
  server_ip: '203.0.113.7',
  players: 3,
  max_players: 16,
};

/** What the reader sees first; the program is started by other means here. */
const START = 'gsls --redis redis://localhost > gsls.log &';

/** ping.json is frankfurt.json with the id. */
const COMMANDS = [
  'curl localhost:53600/broadcast -d @frankfurt.json',
  'curl localhost:53600/',
  'redis-cli flushall  # Redis loses everything',
  'curl localhost:53600/  # the list stays',
  'curl localhost:53600/ping -d @ping.json  # and so does its id',
];

/** One command and what it printed. */
interface Step {
  readonly command: string;
  readonly output: string;
}

/** Runs the commands on free ports. */
async function recordSession(): Promise<Step[]> {
  const redis = await startRedisServer();
  const gsls = await startListeningCli(['--redis', redis.url]);
  try {
    const steps: Step[] = [{ command: START, output: '' }];
    let id: string | undefined;
    for (const command of COMMANDS) {
      const real = command
        .replace('localhost:53600', new URL(gsls.url).host)
        .replace('redis-cli', `redis-cli -h ${redis.host} -p ${redis.port}`)
        .replace('@frankfurt.json', `'${JSON.stringify(FRANKFURT)}'`)
        .replace('@ping.json', `'${JSON.stringify({ ...FRANKFURT, server_id: id })}'`)
        .replace('curl', 'curl --silent --show-error --fail');
      const { stdout } = await promisify(execFile)('bash', ['-c', real]);
      id ??= /"server_id":"([^"]+)"/.exec(stdout)?.[1];
      steps.push({ command, output: stdout.trim() });
    }
    return steps;
  } finally {
    await gsls.stop();
    await redis.stop();
  }
}

const COLUMNS = 90;
const CHARACTER_WIDTH = 8.4;
const LINE_HEIGHT = 21;
const MARGIN = 20;
const TOP = 54;

/** Lines of the drawing: pieces of text with the class that colours them. */
type Line = readonly { readonly text: string; readonly kind: 'prompt' | 'command' | 'comment' | 'output' }[];

function linesOf({ command, output }: Step): Line[] {
  const [typed, comment] = command.split(/(?= {2}# )/) as [string, string?];
  const line: Line = [
    { text: '$ ', kind: 'prompt' },
    { text: typed, kind: 'command' },
    ...(comment === undefined ? [] : [{ text: comment, kind: 'comment' } as const]),
  ];
  // Broken after a comma: no other character may end a line of JSON that goes on.
  const printed = output.match(new RegExp(`.{1,${COLUMNS - 1}}(?:,|$)`, 'g')) ?? [];
  return [line, ...printed.map((text): Line => [{ text, kind: 'output' }])];
}

/** It has a background of its own, so that it can be read on a light and on a dark page. */
function draw(steps: readonly Step[]): string {
  const lines = steps.flatMap(linesOf);
  const width = Math.ceil(2 * MARGIN + COLUMNS * CHARACTER_WIDTH);
  const height = TOP + lines.length * LINE_HEIGHT;
  const texts = lines.map((line, index) => {
    const length = line.reduce((sum, { text }) => sum + text.length, 0);
    const pieces = line.map(({ text, kind }) => `<tspan class="${kind}">${escape(text)}</tspan>`).join('');
    const place = `x="${MARGIN}" y="${TOP + index * LINE_HEIGHT}"`;
    return `  <text xml:space="preserve" ${place} textLength="${(length * CHARACTER_WIDTH).toFixed(1)}">${pieces}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
  <title>A game server is listed; Redis loses everything, and the list stays.</title>
  <style>
    text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre }
    .prompt { fill: #7ee787 } .command { fill: #f0f6fc } .comment { fill: #9198a1 } .output { fill: #79c0ff }
  </style>
  <rect width="${width}" height="${height}" rx="8" fill="#161b22" stroke="#656c76" stroke-opacity="0.5"/>
  <g fill="#484f58"><circle cx="24" cy="20" r="5.5"/><circle cx="42" cy="20" r="5.5"/><circle cx="60" cy="20" r="5.5"/></g>
${texts.join('\n')}
</svg>
`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** The picture as a new run gives it: it differs from another run in the id alone. */
export async function createPicture(): Promise<string> {
  return draw(await recordSession());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PICTURE, await createPicture());
