/**
 * `node odd-client.mjs SCRIPT`: a program for the kit that does what the script says, whatever is right. SCRIPT is
 * JSON: by the name of a line of the kit, what it does then: `say` a line, write a `noise`, `send` a request and wait
 * for its answer. The text AT is the time that the kit told last, IDS the ids of the servers that it told last.
 */

import { createInterface } from 'node:readline';

const script = JSON.parse(process.argv[2]);
let url;
let ids = [];
let at;

const filled = (value) =>
  JSON.parse(JSON.stringify(value).replaceAll('"AT"', String(at)).replaceAll('"IDS"', JSON.stringify(ids)));

async function act({ say, noise, send, complain }) {
  if (say !== undefined) process.stdout.write(`${JSON.stringify(filled(say))}\n`);
  if (noise !== undefined) process.stdout.write(`${noise}\n`);
  if (complain !== undefined) process.stderr.write(complain);
  if (send === undefined) return;
  const [request, headers = {}, body] = filled(send);
  const [method, path] = request.split(' ');
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const answer = await fetch(url + path, { method, headers, body: text }).catch(() => undefined);
  const told = await answer?.json().catch(() => undefined);
  ids = told?.servers?.map((each) => each.id) ?? ids;
}

process.stdout.write(
  `${JSON.stringify({ ready: { name: 'odd', can: ['announce', 'list', 'find', 'watch'] } })}\n`,
);
createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const said = JSON.parse(line);
    const [name] = Object.keys(said);
    at = said.now ?? said[name].now ?? at;
    url = said[name].url ?? url;
    for (const each of script[name] ?? []) await act(each);
  })
  .on('close', () => process.exit());
