/**
 * Who invented game servers belong to, where they stand, and what is played on them. All of it is made up: hosts are
 * under example.com and example.net, and no game has these maps.
 */

export interface Place {
  readonly region: 'eu' | 'na' | 'sa' | 'as' | 'oc';
  readonly city: string;
  /** The code of the place in a host. */
  readonly code: string;
}

/** The places of game servers. A place that is listed more often has more servers. */
export const PLACES: readonly Place[] = [
  { region: 'eu', city: 'Frankfurt', code: 'fra' },
  { region: 'eu', city: 'Frankfurt', code: 'fra' },
  { region: 'eu', city: 'Amsterdam', code: 'ams' },
  { region: 'eu', city: 'Paris', code: 'par' },
  { region: 'eu', city: 'London', code: 'lon' },
  { region: 'eu', city: 'Stockholm', code: 'sto' },
  { region: 'eu', city: 'Warszawa', code: 'waw' },
  { region: 'eu', city: 'Madrid', code: 'mad' },
  { region: 'na', city: 'New York', code: 'nyc' },
  { region: 'na', city: 'Chicago', code: 'chi' },
  { region: 'na', city: 'Dallas', code: 'dal' },
  { region: 'na', city: 'Los Angeles', code: 'lax' },
  { region: 'na', city: 'Montréal', code: 'yul' },
  { region: 'sa', city: 'São Paulo', code: 'sao' },
  { region: 'sa', city: 'Santiago', code: 'scl' },
  { region: 'as', city: 'Tokyo', code: 'tyo' },
  { region: 'as', city: 'Seoul', code: 'sel' },
  { region: 'as', city: 'Singapore', code: 'sin' },
  { region: 'oc', city: 'Sydney', code: 'syd' },
  { region: 'oc', city: 'Auckland', code: 'akl' },
];

export interface Community {
  readonly name: string;
  /** The tag before the names of its players. */
  readonly tag: string;
  readonly domain: string;
  /** The regions in which it has servers; any if it is left out. */
  readonly regions?: readonly Place['region'][];
  /** The slogans in the names of its servers. */
  readonly slogans: readonly string[];
}

const SLOGANS = ['Beginners welcome', 'All night long', 'No lag', 'Friendly', 'Public', 'Join our chat'];

export const COMMUNITIES: readonly Community[] = [
  { name: 'Ironvale', tag: 'IV', domain: 'ironvale.example.net', slogans: SLOGANS },
  { name: 'Old Guard', tag: 'OG', domain: 'oldguard.example.com', slogans: ['Since 2009', ...SLOGANS] },
  { name: 'Pixel Tavern', tag: 'PxT', domain: 'tavern.example.net', slogans: SLOGANS },
  { name: 'NIGHT OWLS', tag: '=NO=', domain: 'owls.example.com', slogans: ['All night long', 'Open late'] },
  { name: 'Rusty Crate', tag: 'RC', domain: 'crate.example.net', slogans: SLOGANS },
  { name: 'Fair Play League', tag: 'FPL', domain: 'fpl.example.com', slogans: ['Ranked', 'Anticheat on'] },
  {
    name: 'Spielwiese',
    tag: 'SpW',
    domain: 'spielwiese.example.net',
    regions: ['eu'],
    slogans: ['Anfänger willkommen', 'Feierabendrunde'],
  },
  {
    name: 'La Guinguette',
    tag: 'LG',
    domain: 'guinguette.example.com',
    regions: ['eu', 'na'],
    slogans: ['Débutants bienvenus', 'Entre amis'],
  },
  {
    name: 'Северный ветер',
    tag: 'СВ',
    domain: 'sever.example.net',
    regions: ['eu', 'as'],
    slogans: ['Паблик', 'Новичкам рады'],
  },
  {
    name: 'Tropicália',
    tag: 'TRP',
    domain: 'tropicalia.example.com',
    regions: ['sa'],
    slogans: ['Só na paz', 'Iniciantes', 'Sem lag'],
  },
  {
    name: '夜猫',
    tag: '夜猫',
    domain: 'yoru.example.net',
    regions: ['as'],
    slogans: ['初心者歓迎', '24時間'],
  },
  {
    name: '한밤의 서버',
    tag: '한밤',
    domain: 'bam.example.com',
    regions: ['as'],
    slogans: ['초보 환영', '즐겜'],
  },
  {
    name: 'صقور الليل',
    tag: 'صقر',
    domain: 'saqr.example.net',
    regions: ['eu', 'as'],
    slogans: ['أهلا وسهلا'],
  },
  {
    name: 'Southern Cross',
    tag: '✚SC',
    domain: 'cross.example.com',
    regions: ['oc'],
    slogans: ['No worries'],
  },
];

export interface Mode {
  readonly name: string;
  readonly maps: readonly string[];
  /** Usual sizes. */
  readonly places: readonly number[];
  readonly tags: readonly string[];
}

const DEFUSAL: Mode = {
  name: 'defusal',
  maps: ['de_harbour', 'de_foundry', 'de_oldtown', 'de_terminal', 'de_vineyard', 'de_aqueduct'],
  places: [10, 10, 12, 16, 20, 24, 32],
  tags: ['ranked', 'anticheat', '128-tick', 'friendly'],
};
const CAPTURE_THE_FLAG: Mode = {
  name: 'ctf',
  maps: ['ctf_twin_keeps', 'ctf_canyon', 'ctf_stadium', 'ctf_glacier'],
  places: [16, 24, 24, 32],
  tags: ['friendly', 'vanilla', 'classic'],
};
const DEATHMATCH: Mode = {
  name: 'tdm',
  maps: ['dm_rooftops', 'dm_arcade', 'dm_crossfire', 'dm_monorail'],
  places: [12, 16, 20, 32],
  tags: ['warmup', 'vanilla', 'fast respawn'],
};
const ZOMBIES: Mode = {
  name: 'zombies',
  maps: ['ze_lighthouse', 'ze_last_metro', 'ze_cathedral'],
  places: [40, 48, 64],
  tags: ['modded', 'custom models', 'events'],
};
const COOP: Mode = {
  name: 'co-op',
  maps: ['coop_mine', 'coop_night_train', 'coop_sawmill'],
  places: [4, 4, 8],
  tags: ['family', 'story', 'hard'],
};
const SURF: Mode = {
  name: 'surf',
  maps: ['surf_coral', 'surf_aurora', 'surf_neon_bay'],
  places: [24, 32, 64],
  tags: ['timer', 'ranks', 'modded'],
};

/** The modes that are played. A mode that is listed more often is played more. */
export const MODES: readonly Mode[] = [
  DEFUSAL,
  DEFUSAL,
  DEFUSAL,
  CAPTURE_THE_FLAG,
  CAPTURE_THE_FLAG,
  DEATHMATCH,
  DEATHMATCH,
  ZOMBIES,
  COOP,
  SURF,
];

/** The versions that are played. Most game servers have the newest. */
export const VERSIONS: readonly string[] = [
  ...Array.from({ length: 6 }, () => '1.9.2'),
  '1.9.1',
  '1.9.1',
  '1.8.7',
  '2.0-beta',
];

export const GENERAL_TAGS = ['beginners', 'no voice', 'clan', 'events', 'voting'] as const;
