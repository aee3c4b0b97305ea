/** The table of the options of the page for people. */

import { one, parseFilePath } from './option-parsers.ts';
import { optionsIn } from './option.ts';
import {
  parseColor,
  parseConnectTemplate,
  parseEmbedOrigins,
  parseMetaFilters,
  parseNotice,
  parseTitle,
} from './page-parsers.ts';

const option = optionsIn('Page');

export const PAGE_OPTIONS = {
  noPage: option('do not serve the page for people, /browse'),
  pageRedirect: option(
    'send browsers from / to the page: what asks for text/html before JSON gets a redirect, everything else the list',
  ),
  pageTitle: option({
    argument: '<text>',
    description: 'the title of the page',
    default: 'Game servers',
    parse: one(parseTitle),
  }),
  pageNotice: option<string | undefined>({
    argument: '<text>',
    description: 'a line above the list, such as "We move to new machines on Sunday."',
    parse: one(parseNotice),
  }),
  pageConnect: option<string | undefined>({
    argument: '<template>',
    description:
      'the link of the button that opens the game, such as steam://connect/{ip}:{port}; placeholders are {ip}, {host}, {port}, {address} (ip:port), {id} and {name}',
    defaultText: 'no button',
    parse: one(parseConnectTemplate),
  }),
  pageAccent: option<string | undefined>({
    argument: '<color>',
    description:
      'the colour of links and buttons, such as #1f5fbf; it is made lighter or darker where it could not be read',
    defaultText: 'blue',
    parse: one(parseColor),
  }),
  pageLogo: option<string | undefined>({
    argument: '<file>',
    description: 'a picture beside the title: SVG, PNG, WebP, JPEG, GIF or AVIF, at most 256 kB',
    parse: one(parseFilePath),
  }),
  pageMetaFilters: option<readonly string[]>({
    argument: '<keys>',
    description:
      'up to 5 keys of meta, separated by commas, whose values are counted among the filters of the page, such as language,ruleset',
    default: [],
    parse: one(parseMetaFilters),
  }),
  pageEmbedOrigins: option<readonly string[]>({
    argument: '<origins>',
    description:
      'the web sites that may show the page in a frame: *, none, or origins separated by commas, such as https://example.com or https://*.example.com; its own origin always may',
    default: [],
    parse: one(parseEmbedOrigins),
  }),
} as const;
