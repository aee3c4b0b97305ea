/** The descriptions of the page for people, and of the files that it loads. */

import { PAGE_PARAMETERS } from '../../api/find/page-query.ts';
import { oneExample } from '../../api/docs/openapi/examples.ts';
import {
  ACCEPT_ENCODING,
  ACCEPT_LANGUAGE,
  IF_NONE_MATCH,
  STALE_HEADERS,
  type ResponseHeader,
} from '../../api/docs/openapi/headers.ts';
import type { Operation } from '../../api/docs/openapi/operation.ts';
import { sharedBody } from '../../api/docs/openapi/success.ts';
import {
  FILTER_PARAMETERS,
  inPath,
  queryParameters,
  textParameters,
} from '../../api/docs/openapi/request-schemas.ts';

const { sort, cursor } = PAGE_PARAMETERS;

/** A parameter of the page alone. */
/** The parameters of the page's address beside a query for servers. */
const OWN_PARAMETERS = textParameters({
  join: 'A join code: the page shows the unlisted server that has it, by its script.',
  missing: 'Opens the form that says why a server is not listed, by its script.',
  lang: 'The language of the page, instead of that of `Accept-Language`.',
  embed: 'Leaves out the head of the page, for a frame of another one.',
  theme: '`light` or `dark`, with `embed`: the look, in place of that of the system.',
  accent: 'A colour of three or six hexadecimal digits, with `embed`: of links, bars and buttons.',
  columns: 'Names of columns with commas between them, with `embed`: the page shows these alone.',
  lock: '`1`, with `embed`: the filters before it, or all where none is before it, cannot be removed.',
  search: '`0`, with `embed`: no field to search.',
  view: '`overview`: statistics, and by its script the history.',
  favourites: 'Shows the favourites of the reader alone, by its script.',
});

const HEADERS: readonly ResponseHeader[] = [
  'Content-Security-Policy',
  'Referrer-Policy',
  'Permissions-Policy',
  'X-Frame-Options',
  'Cross-Origin-Opener-Policy',
];

const text = { schema: { type: 'string' } } as const;

const PAGE = { 'text/html': { ...text, examples: oneExample('Its beginning', '<!doctype html>') } };

export const browse: Operation = {
  tag: 'Lists',
  id: 'browse',
  takesWork: true,
  summary: 'A page for people, that shows the list as it changes',
  description:
    'Takes the filters of `GET /servers`. It shows the first hundred servers that match without any script, by default those with the most players among the servers with a free place. With `Accept: text/html`, as browsers have it, an error of the query or of the registry is a page, too.',
  parameters: [
    ...FILTER_PARAMETERS,
    ...queryParameters({ sort, cursor }),
    ...OWN_PARAMETERS,
    ...textParameters({ server: 'The id of a server: the answer leads to its page.' }),
    ACCEPT_ENCODING,
    ACCEPT_LANGUAGE,
    IF_NONE_MATCH,
  ],
  answers: {
    ...sharedBody('The page.', PAGE, [...HEADERS, ...STALE_HEADERS]),
    303: { description: 'The page of the server that `server` names.', headers: ['Location'] },
  },
  errors: ['invalid_query', 'invalid_cursor', 'not_acceptable', 'registry_unavailable'],
};

export const desk: Operation = {
  tag: 'Moderation',
  id: 'desk',
  summary: 'The desk of moderators, a page',
  description: 'It tells nothing by itself: a moderator signs in with a key.',
  answers: sharedBody('The page.', PAGE, HEADERS),
  errors: ['not_acceptable'],
};

export const deskFile: Operation = {
  tag: 'Moderation',
  id: 'deskFile',
  summary: 'A file that the desk loads',
  parameters: [inPath('file', 'The name of a file as the page has it.', 'start.js')],
  answers: sharedBody(
    'The file.',
    {
      'text/css': { ...text, examples: oneExample('A style', 'body {}') },
      'text/javascript': { ...text, examples: oneExample('A script', '{}') },
      'image/svg+xml': {
        ...text,
        examples: oneExample('A picture', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
      },
    },
    HEADERS,
  ),
  errors: ['not_found', 'not_acceptable'],
};

export const browseFile: Operation = {
  tag: 'Lists',
  id: 'browseFile',
  takesWork: true,
  summary: 'The page of a server, or a file that the page loads',
  description:
    'The page of a listed server has tags with which chats preview a link to it. An unlisted server has none: a player opens it by its join code. The files are script, styles and pictures; and `embed.js`, which makes a frame as tall as the page in it.',
  parameters: [
    inPath('file', 'The id of a server, or the name of a file as the page has it.', 'embed.js'),
    ...textParameters({ list: 'Shows the server beside the list, by the script of the page.' }),
    ...OWN_PARAMETERS,
    ACCEPT_ENCODING,
    ACCEPT_LANGUAGE,
    IF_NONE_MATCH,
  ],
  answers: sharedBody(
    'The page or the file.',
    {
      ...PAGE,
      'text/css': { ...text, examples: oneExample('A style', 'body {}') },
      'text/javascript': { ...text, examples: oneExample('A script', '{}') },
      'text/plain': {
        ...text,
        examples: oneExample('The licenses of what the page is made of', 'MIT License'),
      },
      'image/svg+xml': {
        ...text,
        examples: oneExample('A picture', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
      },
    },
    [...HEADERS, ...STALE_HEADERS],
  ),
  errors: ['unknown_server', 'not_found', 'not_acceptable', 'registry_unavailable'],
};
