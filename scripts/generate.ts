/** `npm run generate`: the files of the repository that programs write, by name. */

import { runByName } from './run-by-name.ts';

await runByName({
  command: 'npm run generate',
  sentences: {
    reference: 'Writes docs/reference from the code, and keeps what people wrote there.',
    'page-types': 'Writes the types of the API that the page and gsls-client use.',
    dashboard: 'Writes deploy/grafana/gsls.json from scripts/dashboard.ts.',
    picture: 'Draws docs/picture.svg from a real run of the program.',
    pictures: 'Takes the pictures of the page in docs/pictures.',
    'page-pictures': 'Draws the pictures of the page with which a test compares it.',
    captures: 'Writes into docs/terminal.md what commands show in a terminal.',
  },
  fileOf: (name) => new URL(`${name}.ts`, import.meta.url),
});
