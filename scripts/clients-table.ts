/** `npm run clients:table`: has the kit judge all clients, and writes what they did into clients/README.md. */

import { judgeAll } from '../test/clients/support/judge-client.ts';
import { CLIENTS } from '../test/clients/support/clients.ts';
import { writeTable } from '../test/clients/support/table.ts';

const verdicts = new Map();
for (const client of CLIENTS) {
  process.stdout.write(`${client.name}\n`);
  const each = await judgeAll(client, ({ scene, result }) =>
    process.stdout.write(`  ${result}: ${scene.name}\n`),
  );
  verdicts.set(client.name, each);
}
writeTable(verdicts);
