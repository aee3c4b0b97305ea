/** All texts of the page in English, and the shape of every language. */

import { createFormats } from './formats.ts';

const { number: format, duration } = createFormats('en');

export const EN = {
  /** Of the language itself, for the switch. */
  language: 'English',
  direction: 'ltr' as 'ltr' | 'rtl',
  list: 'Servers',
  overview: 'Overview',
  /** Of the overview. */
  statistics: {
    now: 'Now',
    numberOf: {
      servers: 'Servers',
      players: 'Players',
      places: 'Places',
      empty: 'Empty servers',
      full: 'Full servers',
    },
    numbersAsOf: (at: string): string => `The service is not reached: numbers of ${at}.`,
    noNumbers: 'The service does not tell its numbers now.',
    loadingNumbers: 'Loading …',

    overTime: 'Players and servers over time',
    ranges: 'Time shown',
    range: {
      '1h': 'Last hour',
      '6h': '6 hours',
      '48h': '48 hours',
      '30d': '30 days',
      '400d': '400 days',
    },
    peakPlayers: 'Peak',
    meanPlayers: 'Mean',
    timeOfChart: 'Time in the charts',
    atTime: (at: string, servers: string, players: string, peak: string): string =>
      `${at} – servers: ${servers}, players: ${players}, peak: ${peak}`,
    nothingAtTime: (at: string): string => `${at} – no current list`,
    asTable: 'As a table',
    time: 'Time',
    none: 'none',
    noHistoryYet: 'There is no history yet. Its first point comes when a minute has passed.',
    noHistoryNow: 'The service does not tell its history now.',

    isListCurrent: 'Is the list current?',
    currency: {
      connecting: 'Connecting to the service …',
      live: 'Yes: every change comes here as it happens.',
      asleep: 'This page was hidden, and goes on now.',
    },
    staleSince: (at: string, ago: string): string =>
      `No: the service says that its list is as of ${at} (${ago}).`,
    awaySince: (at: string, ago: string): string =>
      `No: the service is not reached. The list is as of ${at} (${ago}).`,
    awayWithoutList: 'No: the service is not reached.',
    lastNotCurrent: 'When it was not current',
    outage: (period: string): string => `${period}: no replica of the service had a current list`,
    outageSince: (at: string): string => `Since ${at}: no replica of the service has had a current list`,
    interruption: {
      stale: (period: string): string => `${period}: the service said here that its list is not current`,
      away: (period: string): string => `${period}: this page did not reach the service`,
    },
    interruptionSince: {
      stale: (at: string): string => `Since ${at}: the service says here that its list is not current`,
      away: (at: string): string => `Since ${at}: this page does not reach the service`,
    },
    alwaysCurrent: 'Never in the last 48 hours.',
    alwaysCurrentSince: (at: string): string => `Never since ${at}, when its history begins.`,
    moreTimes: (count: number): string => (count === 1 ? 'and once more' : `and ${format(count)} times more`),

    facet: {
      region: 'Regions',
      mode: 'Modes',
      map: 'Maps',
      version: 'Versions',
    },
    otherValues: 'Others',
    noValues: {
      region: 'No server says its region.',
      mode: 'No server says its mode.',
      map: 'No server says its map.',
      version: 'No server says its version.',
    },
  },

  // Around the list.
  openWholePage: 'Open the whole page',
  forPrograms: 'For programs',
  listAsJson: 'List as JSON',
  api: 'API',
  languages: 'Languages',
  loading: 'Loading the list …',
  servers: (count: number): string => (count === 1 ? '1 server' : `${format(count)} servers`),

  // Filters, favourites, and one server.
  search: 'Search servers',
  copyAddress: 'Copy address',
  copyAddressOf: (name: string): string => `Copy address: ${name}`,
  connect: 'Connect',
  connectTo: (name: string): string => `Connect: ${name}`,
  favouriteOf: (name: string): string => `Favourite: ${name}`,
  copied: 'Copied',
  copyByHand: 'Address, to be copied by hand',
  notListedNow: 'Favourites that are not listed now',
  removeFavourite: 'Remove',
  removeFavouriteOf: (name: string): string => `Remove favourite: ${name}`,
  filters: {
    title: (active: number): string => (active === 0 ? 'Filters' : `Filters (${active})`),
    hint: 'Name, map, mode or tag',
    favourites: 'Favourites',
    notFull: 'Not full',
    notEmpty: 'Not empty',
    playersFrom: 'Players, from',
    playersTo: 'Players, to',
    searchIn: (field: string): string => `Search in: ${field}`,
    /** Read aloud after a value. */
    count: (servers: number, players: number): string =>
      `: ${EN.servers(servers)}, ${players === 1 ? '1 player' : `${format(players)} players`}`,
    show: (total: number): string => `Show ${EN.servers(total)}`,
    active: 'Active filters',
    is: (field: string): string => `${field}:`,
    isNot: (field: string): string => `${field}, not:`,
    /** Fields that are no columns. */
    names: {
      q: 'Search',
      id: 'ID',
      host: 'Host',
      ip: 'IP address',
      max_players: 'Places',
      free: 'Free places',
      full: 'Full',
      empty: 'Empty',
    },
    remove: (filter: string): string => `Remove filter: ${filter}`,
    notUnderstood: '(not understood)',
    clearAll: 'Clear all filters',
  },
  nothingMatches: 'No server matches.',
  /** Of a list without any server; each text with a colon has a command below it. */
  firstServer: {
    title: 'There are no game servers yet.',
    broadcast: 'List one with this command:',
    key: 'If this service asks for a key, the command also needs it, in the header Authorization.',
    demo: 'To see an example list, start one on your machine:',
  },
  emptyResult: {
    nothingListed: 'No server is listed right now.',
    noFavourites: 'There are no favourites yet: mark a server with its star.',
    without: (filter: string): string => `Without ${filter}`,
  },
  details: {
    title: 'Server',
    state: {
      loading: 'Loading …',
      away: 'The service does not answer now.',
      'not listed': 'This server is no longer listed.',
    },
    back: 'Back to the list',
    copyLink: 'Copy link',
    linkCopied: 'Link copied',
    otherAddresses: 'Other addresses',
    since: 'Listed since',
    more: 'More',
    andMore: 'and more',
    /** Of what a game server says beyond its fields. */
    meta: {
      names: { website: 'Website', discord: 'Discord', language: 'Language', mods: 'Mods' },
      on: 'on',
      off: 'off',
      nothing: 'none',
    },
  },

  /** Of unlisted servers, which a player finds by a code. */
  join: {
    open: 'Join code',
    title: 'Open a server by its join code',
    hint: 'A server that is not in the list has a code, which its host can tell you.',
    code: 'Join code',
    show: 'Show',
    outcome: {
      asking: 'Looking for it …',
      unknown: 'No server has this code. It may be mistyped, or the server has stopped.',
      limited: 'Too many tries from here. Wait a minute, then try again.',
      away: 'The service does not answer now. Try again in a moment.',
    },
  },

  // The page and its list.
  views: 'Views',
  close: 'Close',
  columns: {
    favourite: 'Favourite',
    name: 'Name',
    players: 'Players',
    map: 'Map',
    mode: 'Mode',
    region: 'Region',
    version: 'Version',
    tags: 'Tags',
    password: 'Password',
    address: 'Address',
    actions: 'Actions',
  },
  playersOf: (players: number, places: number): string => `${format(players)} / ${format(places)}`,
  full: 'full',
  /** Of the details that are true or false: their names, what is said of a server, and the filter for all others. */
  flags: {
    password: {
      name: 'Password',
      yes: 'needed',
      no: 'not needed',
      is: 'Password needed',
      without: 'No password',
    },
  },
  addressCopied: 'Address copied',
  /** Of a server whose row is still shown. */
  gone: 'Gone:',
  /** `total` of the `listed` servers match, and have so many players. */
  count: (total: number, listed: number, players: number): string => {
    const servers = total === listed ? EN.servers(total) : `${format(total)} of ${EN.servers(listed)}`;
    return `${servers} · ${players === 1 ? '1 player' : `${format(players)} players`}`;
  },
  waiting: (count: number): string => (count === 1 ? '1 change waits' : `${format(count)} changes wait`),
  pause: 'Pause',
  feed: {
    connecting: 'Connecting …',
    live: 'Live',
    paused: 'Paused',
    asleep: 'Asleep while the page is hidden',
    stale: 'The service cannot reach its registry.',
    away: {
      unreachable: 'The service is not reachable.',
      unavailable: 'The service has no list right now.',
      unauthorized: 'The service asks for a key: load the page anew and enter it.',
      limited: 'The service asks for fewer requests.',
      refused: 'The service refuses to give the list.',
    },
    asOf: (seconds: number): string => `The list is as of ${duration(1000 * seconds)} ago.`,
    /** `at`: a time, such as 14:03. */
    since: (at: string): string => `The list is as of ${at};`,
    nextTry: (seconds: number): string =>
      seconds < 1 ? 'trying now …' : `next try in ${duration(1000 * seconds)}.`,
    retry: 'Try now',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    /** Names of keys that are no signs. */
    keys: { ArrowDown: '↓', ArrowUp: '↑', Enter: 'Enter', Escape: 'Esc' } as Record<string, string>,
    commands: {
      search: 'Search',
      next: 'Next server',
      previous: 'Previous server',
      open: 'Details of the server',
      favourite: 'Favourite: add or remove',
      copy: 'Copy the address',
      pause: 'Pause, or go on',
      list: 'Servers',
      overview: 'Overview',
      help: 'These shortcuts',
      close: 'Close',
    },
  },

  // Of the page without its script.
  plain: {
    search: 'Search',
    nextPage: 'Next page',
    firstPage: 'First page',
    allServers: 'All servers',
    wrongAddress: 'The address of this page asks for something that does not exist:',
    /** A time follows. */
    asOf: 'The list is as of',
  },
};

export type Texts = typeof EN;
