/** The least that one who follows a stream has to do: reads the events, and keeps what they tell in a map. */

import { request } from 'node:http';

const servers = new Map();
let text = '';
request(process.argv[2], (response) => {
  response.setEncoding('utf8');
  response.on('data', (part) => {
    text += part;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const changes = JSON.parse(block.slice(block.indexOf('data: ') + 6));
      for (const each of changes.servers) servers.set(each.id, each);
    }
  });
}).end();
