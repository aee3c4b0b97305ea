/** `npm run generate -- page-pictures`: draws the pictures with which test/page/browser/pictures.test.ts compares. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { drawScenes, PICTURES } from '../test/page/support/scenes.ts';

rmSync(PICTURES, { recursive: true, force: true });
mkdirSync(PICTURES, { recursive: true });
await drawScenes(async (name, png) => writeFileSync(new URL(`${name}.png`, PICTURES), png));
