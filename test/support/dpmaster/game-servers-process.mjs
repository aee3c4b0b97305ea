/**
 * Game servers of dpmaster in a process of its own, for a network that the test is not in:
 * `node game-servers-process.mjs HOST PORT ADDRESS,ADDRESS,… COUNT`.
 */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const [host, port, addresses, count] = process.argv.slice(2);
const own = addresses.split(',');
const packet = (text) => Buffer.concat([Buffer.alloc(4, 0xff), Buffer.from(text)]);
for (let n = 0; n < Number(count); n += 1) {
  const socket = createSocket('udp4').bind(0, own[n % own.length]);
  await once(socket, 'listening');
  socket.on('message', (question) => {
    const [, challenge] = /^getinfo (\S+)/.exec(question.toString('latin1', 4)) ?? [];
    if (challenge === undefined) return;
    const info = `\\protocol\\71\\clients\\1\\sv_maxclients\\8\\hostname\\server ${n}\\challenge\\${challenge}`;
    socket.send(packet(`infoResponse\n${info}`), Number(port), host);
  });
  // Any packet may be lost.
  const beat = () => socket.send(packet('heartbeat QuakeArena-1\n'), Number(port), host);
  beat();
  setInterval(beat, 1000);
}
