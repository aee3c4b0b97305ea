/** The table of the options of the page for people. */

import { one, yesOrNo } from './option-parsers.ts';
import { option } from './option.ts';
import {
  parseColor,
  parseConnectTemplate,
  parseEmbedOrigins,
  parseMetaFilters,
  parseNotice,
  parseTitle,
} from './page-parsers.ts';

export const PAGE_OPTIONS = {
  noPage: option({
    flag: '--no-page',
    variable: 'GSLS_NO_PAGE',
    group: 'Page',
    description: 'do not serve the page for people, /browse',
    default: false,
    parse: yesOrNo,
  }),
  pageRedirect: option({
    flag: '--page-redirect',
    variable: 'GSLS_PAGE_REDIRECT',
    group: 'Page',
    description:
      'send browsers from / to the page: what asks for text/html before JSON gets a redirect, everything else the list',
    default: false,
    parse: yesOrNo,
  }),
  pageTitle: option({
    flag: '--page-title',
    argument: '<text>',
    variable: 'GSLS_PAGE_TITLE',
    group: 'Page',
    description: 'the title of the page',
    default: 'Game servers',
    parse: one(parseTitle),
  }),
  pageNotice: option<string | undefined>({
    flag: '--page-notice',
    argument: '<text>',
    variable: 'GSLS_PAGE_NOTICE',
    group: 'Page',
    description: 'a line above the list, such as "We move to new machines on Sunday."',
    default: undefined,
    defaultText: 'none',
    parse: one(parseNotice),
  }),
  pageConnect: option<string | undefined>({
    flag: '--page-connect',
    argument: '<template>',
    variable: 'GSLS_PAGE_CONNECT',
    group: 'Page',
    description:
      'the link of the button that opens the game, such as steam://connect/{ip}:{port}; placeholders are {ip}, {host}, {port}, {address} (ip:port), {id} and {name}',
    default: undefined,
    defaultText: 'no button',
    parse: one(parseConnectTemplate),
  }),
  pageAccent: option<string | undefined>({
    flag: '--page-accent',
    argument: '<color>',
    variable: 'GSLS_PAGE_ACCENT',
    group: 'Page',
    description:
      'the colour of links and buttons, such as #1f5fbf; it is made lighter or darker where it could not be read',
    default: undefined,
    defaultText: 'blue',
    parse: one(parseColor),
  }),
  pageLogo: option<string | undefined>({
    flag: '--page-logo',
    argument: '<file>',
    variable: 'GSLS_PAGE_LOGO',
    group: 'Page',
    description: 'a picture beside the title: SVG, PNG, WebP, JPEG, GIF or AVIF, at most 256 kB',
    default: undefined,
    defaultText: 'none',
    parse: one((text) => {
      if (text !== '') return text;
      throw new Error('must be the path of a file');
    }),
  }),
  pageMetaFilters: option<readonly string[]>({
    flag: '--page-meta-filters',
    argument: '<keys>',
    variable: 'GSLS_PAGE_META_FILTERS',
    group: 'Page',
    description:
      'up to 5 keys of meta, separated by commas, whose values are counted among the filters of the page, such as language,ruleset',
    default: [],
    defaultText: 'none',
    parse: one(parseMetaFilters),
  }),
  pageEmbedOrigins: option<readonly string[]>({
    flag: '--page-embed-origins',
    argument: '<origins>',
    variable: 'GSLS_PAGE_EMBED_ORIGINS',
    group: 'Page',
    description:
      'the web sites that may show the page in a frame: *, none, or origins separated by commas, such as https://example.com or https://*.example.com; its own origin always may',
    default: [],
    defaultText: 'none',
    parse: one(parseEmbedOrigins),
  }),
} as const;
