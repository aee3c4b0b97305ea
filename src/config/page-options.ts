/** The table of the options of the page for people. */

import { one, yesOrNo } from './option-parsers.ts';
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
  noPage: option({
    flag: '--no-page',
    description: 'do not serve the page for people, /browse',
    default: false,
    parse: yesOrNo,
  }),
  pageRedirect: option({
    flag: '--page-redirect',
    description:
      'send browsers from / to the page: what asks for text/html before JSON gets a redirect, everything else the list',
    default: false,
    parse: yesOrNo,
  }),
  pageTitle: option({
    flag: '--page-title',
    argument: '<text>',
    description: 'the title of the page',
    default: 'Game servers',
    parse: one(parseTitle),
  }),
  pageNotice: option<string | undefined>({
    flag: '--page-notice',
    argument: '<text>',
    description: 'a line above the list, such as "We move to new machines on Sunday."',
    parse: one(parseNotice),
  }),
  pageConnect: option<string | undefined>({
    flag: '--page-connect',
    argument: '<template>',
    description:
      'the link of the button that opens the game, such as steam://connect/{ip}:{port}; placeholders are {ip}, {host}, {port}, {address} (ip:port), {id} and {name}',
    defaultText: 'no button',
    parse: one(parseConnectTemplate),
  }),
  pageAccent: option<string | undefined>({
    flag: '--page-accent',
    argument: '<color>',
    description:
      'the colour of links and buttons, such as #1f5fbf; it is made lighter or darker where it could not be read',
    defaultText: 'blue',
    parse: one(parseColor),
  }),
  pageLogo: option<string | undefined>({
    flag: '--page-logo',
    argument: '<file>',
    description: 'a picture beside the title: SVG, PNG, WebP, JPEG, GIF or AVIF, at most 256 kB',
    parse: one((text) => {
      if (text !== '') return text;
      throw new Error('must be the path of a file');
    }),
  }),
  pageMetaFilters: option<readonly string[]>({
    flag: '--page-meta-filters',
    argument: '<keys>',
    description:
      'up to 5 keys of meta, separated by commas, whose values are counted among the filters of the page, such as language,ruleset',
    default: [],
    defaultText: 'none',
    parse: one(parseMetaFilters),
  }),
  pageEmbedOrigins: option<readonly string[]>({
    flag: '--page-embed-origins',
    argument: '<origins>',
    description:
      'the web sites that may show the page in a frame: *, none, or origins separated by commas, such as https://example.com or https://*.example.com; its own origin always may',
    default: [],
    defaultText: 'none',
    parse: one(parseEmbedOrigins),
  }),
} as const;
