/**
 * All texts of the page in English, and the shape of every language. Players read them: the software behind the page is
 * "we", and its parts have no names here.
 */

import { createFormats } from './formats.ts';

const { number: format, duration } = createFormats('en');

const playerCount = (count: number): string => (count === 1 ? '1 player' : `${format(count)} players`);

export const EN = {
  /** The name of the language itself, for the switch. */
  language: 'English',
  direction: 'ltr' as 'ltr' | 'rtl',
  list: 'Servers',
  overview: 'Overview',
  /** Texts of the overview. */
  statistics: {
    now: 'Now',
    numberOf: {
      servers: 'Servers',
      players: 'Players',
      places: 'Slots',
      empty: 'Empty servers',
      full: 'Full servers',
    },
    noNumbers: 'The numbers are not available right now.',
    loadingNumbers: 'Loading …',

    overTime: 'Players and servers over time',
    ranges: 'Time span',
    range: {
      '1h': 'Last hour',
      '6h': '6 hours',
      '48h': '48 hours',
      '30d': '30 days',
      '400d': '400 days',
    },
    peakPlayers: 'Peak',
    meanPlayers: 'Average',
    /** How the charts are read by keys. */
    readByKeys: 'left and right arrow keys',
    atTime: (at: string, servers: number, players: number, peak: number): string =>
      `${at}: ${EN.servers(servers)}, ${playerCount(players)}, at most ${format(peak)}`,
    asTable: 'As a table',
    time: 'Time',
    none: 'no data',
    /** For a span that is drawn by the minute, or by the hour. */
    noHistoryYet: {
      minute: 'No history yet. It begins after the first minute.',
      hour: 'No history of hours yet. It begins after the first hour.',
    },
    noHistoryInRange: 'No data in this time span.',

    facet: {
      region: 'Regions',
      mode: 'Modes',
      map: 'Maps',
      version: 'Versions',
    },
    otherValues: 'Others',
    noValues: 'None known.',
  },

  // Around the list.
  openWholePage: 'Open the full page',
  forPrograms: 'For developers',
  listAsJson: 'List as JSON',
  api: 'API',
  languages: 'Languages',
  theme: {
    auto: 'Colours: as your system',
    light: 'Colours: light',
    dark: 'Colours: dark',
  },
  loading: 'Loading …',
  servers: (count: number): string => (count === 1 ? '1 server' : `${format(count)} servers`),

  // Filters, favourites, and one server.
  search: 'Search servers',
  copyAddress: 'Copy address',
  copyAddressOf: (name: string): string => `Copy address: ${name}`,
  connect: 'Join',
  connectTo: (name: string): string => `Join: ${name}`,
  favouriteOf: (name: string): string => `Favourite: ${name}`,
  copied: 'Copied',
  copyByHand: 'Copy this address by hand',
  unlistedFavourites: 'Unlisted favourites',
  notListedNow: 'Favourites that are not on the list right now',
  removeFavourite: 'Remove',
  removeFavouriteOf: (name: string): string => `Remove favourite: ${name}`,
  filters: {
    title: (active: number): string => (active === 0 ? 'Filters' : `Filters (${active})`),
    hint: 'Name, map, tag or address',
    favourites: 'Favourites',
    notFull: 'Not full',
    notEmpty: 'Not empty',
    playersFrom: 'Players, from',
    playersTo: 'Players, to',
    searchIn: (field: string): string => `Search in: ${field}`,
    /** Read aloud after a value. */
    count: (servers: number, players: number): string => `: ${EN.servers(servers)}, ${playerCount(players)}`,
    /** The label of a button that shows more values. */
    others: (count: number): string => `Others (${format(count)})`,
    show: (total: number): string => `Show ${EN.servers(total)}`,
    active: 'Active filters',
    /** Labels whose servers are hidden at first follow. */
    hidden: 'Hidden:',
    is: (field: string): string => `${field}:`,
    isNot: (field: string): string => `${field} is not`,
    /** Fields without a column. */
    names: {
      q: 'Search',
      id: 'ID',
      host: 'Host',
      game: 'Game',
      protocol: 'Protocol',
      ip: 'IP address',
      origin: 'Origin',
      max_players: 'Slots',
      free: 'Free slots',
      full: 'Full',
      empty: 'Empty',
    },
    remove: (filter: string): string => `Remove filter: ${filter}`,
    notUnderstood: '(not understood)',
    clearAll: 'Clear all filters',
  },
  nothingMatches: 'No server matches.',
  /** Shown for a list without any server; a command follows each text with a colon. */
  firstServer: {
    title: 'There are no game servers yet.',
    broadcast: 'List one with this command:',
    key: 'Where a key is needed, add it in the header Authorization.',
    demo: 'To see an example list, start one on your machine:',
  },
  emptyResult: {
    nothingListed: 'There are no servers right now.',
    noFavourites: 'No favourites yet. The star of a server adds it.',
    /** The text around a filter; the number of servers that there would be follows. */
    remove: { before: 'Remove "', after: '"' },
  },
  details: {
    title: 'Server',
    state: {
      loading: 'Loading …',
      away: 'Not available right now.',
      'not listed': 'This server is no longer on the list.',
    },
    back: 'Back to the list',
    unlisted: 'This server is unlisted: it is found by its join code alone.',
    copyLink: 'Copy link',
    linkCopied: 'Link copied',
    playersSeen: 'Players seen',
    otherAddresses: 'Other addresses',
    /** Follows a country that the game server has not said. */
    byAddress: ', by its address',
    since: 'Listed since',
    lastDay: 'Players over the last day',
    atHour: (at: string, players: number, peak: number): string =>
      `${at}: ${playerCount(players)} on average, at most ${format(peak)}`,
    uptime: (share: string): string => `Up ${share} of the time in the last 30 days`,
    embed: 'Embed',
    copyCode: 'Copy',
    embedHint: 'A picture of this server for your site, which says how full it is:',
    more: 'More',
    andMore: 'and more',
    /** Words for the `meta` of a game server. */
    meta: {
      names: { website: 'Website', discord: 'Discord', rules: 'Rules', language: 'Language', mods: 'Mods' },
      on: 'on',
      off: 'off',
      nothing: 'none',
    },
  },

  /** Texts for a player who reports a server. */
  report: {
    open: 'Report',
    reason: 'Reason',
    note: 'More about it',
    done: 'Thanks. A moderator will look.',
  },

  /** Texts for unlisted servers, which a player finds by a code. */
  join: {
    open: 'Join code',
    title: 'Open a server by its join code',
    hint: 'A server that is not in the list has a code, which its host can tell you.',
    code: 'Join code',
    show: 'Show',
    outcome: {
      asking: 'Looking for it …',
      unknown: 'No server has this code. It may be mistyped, or the server has stopped.',
      limited: 'Too many tries from here. Try again in a minute.',
      away: 'This did not work just now. Try again in a moment.',
    },
  },

  /** Texts for a person whose server is not in the list. The diagnosis itself is in English. */
  missing: {
    open: 'Is my server missing?',
    hint: 'Ask from the network of your server: we can tell only of the address you ask from.',
    address: 'Address and port',
    id: 'ID, if you know it',
    ask: 'Find out why',
    /** The hint for an address that cannot be read. */
    example: (address: string): string => `Write the address and the port like this: ${address}`,
    /** The service's reason follows. */
    refused: 'This was refused:',
    limited: (seconds: number): string =>
      `Too many questions from here. Ask again in ${duration(1000 * seconds)}.`,
    next: 'What to do next',
    seenAt: 'We see you at',
    checks: 'What we looked at',
    /** Read aloud before each check. */
    result: { fine: 'Fine:', wrong: 'Wrong:', unknown: 'Not known:' },
    /** A command follows. */
    withoutScript: 'On its machine this says why (in a clone: npx gsls):',
  },

  /** Texts for players who want to play now. */
  quickJoin: {
    open: 'Quick join',
    /** The note on the server that was picked. */
    picked: {
      opened: 'Picked for you. Your game should open now.',
      copied: 'Picked for you. Its address is copied.',
      shown: 'Picked for you.',
    },
    another: 'Another one',
    noOther: 'No other server has a free place without a password right now.',
    none: 'No server here has a free place without a password right now.',
  },

  /** Texts for the regions that a player plays in, whose servers come first. */
  myRegions: {
    title: 'Where do you play?',
    hint: 'Servers of these regions come first, in the list and for "Quick join".',
    done: 'Done',
    anywhere: 'Anywhere',
    /** The texts of the button: the second part says whose servers come first, and of how many more regions. */
    button: {
      region: 'Region:',
      any: 'Anywhere',
      first: (name: string, more: number): string =>
        more === 0 ? `${name} first` : `${name} +${more} first`,
    },
  },
  /** The names of common regions, by what game servers say of themselves. */
  regions: {
    eu: 'Europe',
    na: 'N. America',
    sa: 'S. America',
    as: 'Asia',
    oc: 'Oceania',
    af: 'Africa',
    me: 'Middle East',
  },

  /** Texts about how near servers are to the player. */
  near: {
    ping: 'Estimated ping',
    /** The points that the game server has measured follow. */
    ofServer: 'Ping to measured points',
    measuring: 'Measuring how near the servers are …',
    away: 'How near the servers are cannot be measured right now.',
    how: (points: number, places: string): string =>
      `Estimated from how far you and the server are from ${points} measured ${points === 1 ? 'point' : 'points'} (${places}); nothing was sent to the server.`,
    again: 'Measure again',
  },

  // The page and its list.
  skipToList: 'Skip to the servers',
  views: 'Views',
  close: 'Close',
  columns: {
    favourite: 'Favourite',
    name: 'Name',
    players: 'Players',
    map: 'Map',
    mode: 'Mode',
    region: 'Region',
    country: 'Country',
    version: 'Version',
    tags: 'Tags',
    labels: 'Labels',
    password: 'Password',
    address: 'Address',
    actions: 'Actions',
  },
  /** The players and the places, as a row has them. */
  playersOf: (players: number, places: number): { readonly players: string; readonly places: string } => ({
    players: format(players),
    places: format(places),
  }),
  playersAloud: (players: number, places: number): string =>
    `${format(players)} of ${places === 1 ? '1 player' : `${format(places)} players`}`,
  full: 'full',
  /** The details that are true or false: their names, their values for a server, and the filter that excludes them. */
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
  /** Marks a server whose row is still shown. */
  gone: 'Gone:',
  order: 'Order',
  /** The orders that a person can choose, by `sort` in the address. */
  orders: {
    'empty,full,-players': 'free places first',
    '-players': 'most players',
    name: 'by name',
    map: 'by map',
    mode: 'by mode',
    region: 'by region',
    version: 'by version',
    '-registered_at': 'newest first',
    near: 'nearest first',
  },
  /** `matching` of the `listed` servers match, and have so many players. The numbers are parts of their own. */
  count: (matching: number, listed: number, players: number): readonly string[] => [
    format(players),
    players === 1 ? ' player on ' : ' players on ',
    format(matching),
    ...(matching === listed ? [] : [' of ', format(listed)]),
    listed === 1 ? ' server' : ' servers',
  ],
  /** How many changes wait. */
  changes: (count: number): string => (count === 1 ? '1 change' : `${format(count)} changes`),
  /** What a click on the state of the list does. */
  showChanges: 'Show them',
  pause: 'Pause the list',
  goOn: 'Go on',
  feed: {
    connecting: 'Connecting …',
    live: 'Live',
    paused: 'Paused',
    asleep: 'Paused in the background',
    /** The state in a word or two. */
    word: { connecting: 'Connecting …', asleep: 'Paused', stale: 'Out of date', away: 'Offline' },
    /** Shown for a list that is not current; its age comes first. */
    stale: 'We are reconnecting.',
    away: {
      unreachable: 'Offline.',
      unavailable: 'The list is not available right now.',
      unauthorized: 'A key is needed: reload the page and enter it.',
      limited: 'Too many requests from here. We are slowing down.',
      refused: 'The list is not available here.',
    },
    age: (seconds: number): string => `This list is ${duration(1000 * seconds)} old.`,
    /** `at`: a time, such as 14:03. */
    since: (at: string): string => `This list is from ${at}.`,
    nextTry: (seconds: number): string =>
      seconds < 1 ? 'Trying now …' : `Next try in ${duration(1000 * seconds)}.`,
    retry: 'Try now',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    /** Names of keys that are no signs. */
    keys: { ArrowDown: '↓', ArrowUp: '↑', Enter: 'Enter', Escape: 'Esc' } as Record<string, string>,
    commands: {
      search: 'Search',
      quickJoin: 'Quick join',
      regions: 'My regions',
      next: 'Next server',
      previous: 'Previous server',
      open: 'Details',
      favourite: 'Add or remove favourite',
      copy: 'Copy address',
      pause: 'Pause or continue',
      list: 'Servers',
      overview: 'Overview',
      help: 'Keyboard shortcuts',
      close: 'Close',
    },
  },

  // The page without its script.
  plain: {
    search: 'Search',
    nextPage: 'Next page',
    firstPage: 'First page',
    allServers: 'All servers',
    wrongAddress: 'Something in the address of this page is wrong:',
    /** A time follows. */
    asOf: 'This list is from',
  },
};

export type Texts = typeof EN;
