/** All texts of the page in German. */

import type { Texts } from './en.ts';

const numbers = new Intl.NumberFormat('de');
const clock = new Intl.DateTimeFormat('de', { timeStyle: 'short' });

export const DE: Texts = {
  language: 'Deutsch',
  list: 'Server',
  overview: 'Überblick',
  loading: 'Die Liste wird geladen …',
  servers: (count) => `${numbers.format(count)} Server`,

  search: 'Server suchen',
  copyAddress: 'Adresse kopieren',
  copyAddressOf: (name) => `Adresse kopieren: ${name}`,
  connect: 'Verbinden',
  connectTo: (name) => `Verbinden: ${name}`,
  favouriteOf: (name) => `Favorit: ${name}`,
  notListedNow: 'zurzeit nicht gelistet',
  removeFavourite: 'Entfernen',
  nothingMatches: 'Kein Server passt zu allen Filtern.',

  // The page and its list.
  views: 'Ansichten',
  close: 'Schließen',

  columns: {
    favourite: 'Favorit',
    name: 'Name',
    players: 'Spieler',
    map: 'Karte',
    mode: 'Modus',
    region: 'Region',
    version: 'Version',
    tags: 'Tags',
    password: 'Passwort',
    address: 'Adresse',
  },
  playersOf: (players, places) => `${numbers.format(players)} / ${numbers.format(places)}`,
  full: 'voll',
  password: 'Passwort nötig',
  gone: 'Nicht mehr da:',
  count: (total, listed, players) => {
    const servers =
      total === listed ? DE.servers(total) : `${numbers.format(total)} von ${numbers.format(listed)} Servern`;
    return `${servers} · ${numbers.format(players)} Spieler`;
  },
  waiting: (count) => (count === 1 ? '1 Änderung wartet' : `${numbers.format(count)} Änderungen warten`),
  pause: 'Pause',
  feed: {
    connecting: 'Verbindung wird aufgebaut …',
    live: 'Live',
    paused: 'Angehalten',
    asleep: 'Ruht, solange die Seite nicht zu sehen ist',
    stale: 'Der Dienst erreicht seine Registry nicht.',
    away: {
      unreachable: 'Der Dienst ist nicht erreichbar.',
      unavailable: 'Der Dienst hat gerade keine Liste.',
      unauthorized: 'Der Dienst verlangt einen Schlüssel: die Seite neu laden und ihn eingeben.',
      limited: 'Der Dienst bittet um weniger Anfragen.',
      refused: 'Der Dienst gibt die Liste nicht heraus.',
    },
    asOf: (seconds) => `Die Liste ist ${duration(seconds)} alt.`,
    since: (asOf) => `Die Liste ist von ${clock.format(asOf)} Uhr;`,
    nextTry: (seconds) =>
      seconds < 1 ? 'ein neuer Versuch läuft …' : `nächster Versuch in ${duration(seconds)}.`,
    retry: 'Jetzt versuchen',
  },
  shortcuts: {
    title: 'Tastenkürzel',
    keys: { ArrowDown: '↓', ArrowUp: '↑', Enter: 'Enter', Escape: 'Esc' },
    commands: {
      search: 'Suchen',
      next: 'Nächster Server',
      previous: 'Voriger Server',
      open: 'Einzelheiten des Servers',
      favourite: 'Favorit: hinzufügen oder entfernen',
      copy: 'Adresse kopieren',
      pause: 'Anhalten oder fortsetzen',
      list: 'Server',
      overview: 'Überblick',
      help: 'Diese Tastenkürzel',
      close: 'Schließen',
    },
  },

  now: 'Jetzt',
  playersOfPlaces: (players, places) => `${numbers.format(players)} von ${numbers.format(places)} Spielern`,
  numberOf: {
    servers: 'Server',
    players: 'Spieler',
    places: 'Plätze',
    empty: 'Leere Server',
    full: 'Volle Server',
  },
  numbersAsOf: (time) => `Der Dienst ist nicht erreichbar: Zahlen von ${time}.`,
  noNumbers: 'Der Dienst nennt seine Zahlen gerade nicht.',
  loadingNumbers: 'Wird geladen …',

  overTime: 'Spieler und Server im Verlauf',
  ranges: 'Zeitraum',
  range: {
    '1h': 'Letzte Stunde',
    '6h': '6 Stunden',
    '48h': '48 Stunden',
    '30d': '30 Tage',
    '400d': '400 Tage',
  },
  peakPlayers: 'Höchststand',
  meanPlayers: 'Durchschnitt',
  timeOfChart: 'Zeitpunkt in den Diagrammen',
  atTime: (time, servers, players, peak) =>
    `${time}: ${servers} Server, ${players} Spieler, ${peak} im Höchststand`,
  nothingAtTime: (time) => `${time}: keine aktuelle Liste`,
  asTable: 'Als Tabelle',
  time: 'Zeit',
  none: 'keine',
  noHistoryYet: 'Es gibt noch keinen Verlauf. Er beginnt, sobald eine Minute vergangen ist.',
  noHistoryNow: 'Der Dienst nennt seinen Verlauf gerade nicht.',

  isListCurrent: 'Ist die Liste aktuell?',
  currency: {
    connecting: 'Verbindung wird aufgebaut …',
    live: 'Ja: Jede Änderung kommt hier sofort an.',
    asleep: 'Diese Seite war verdeckt und macht nun weiter.',
  },
  staleSince: (time, ago) => `Nein: Laut dem Dienst ist die Liste vom Stand ${time}, ${ago}.`,
  awaySince: (time, ago) =>
    `Nein: Der Dienst ist nicht erreichbar. Die Liste hat den Stand von ${time}, ${ago}.`,
  awayWithoutList: 'Nein: Der Dienst ist nicht erreichbar.',
  lastNotCurrent: 'Wann sie es nicht war',
  outage: (period) => `${period}: Kein Server des Dienstes hatte eine aktuelle Liste`,
  outageSince: (time) => `Seit ${time}: Kein Server des Dienstes hatte eine aktuelle Liste`,
  interruption: {
    stale: (period) => `${period}: Der Dienst meldete hier eine veraltete Liste`,
    away: (period) => `${period}: Diese Seite hat den Dienst nicht erreicht`,
  },
  interruptionSince: {
    stale: (time) => `Seit ${time}: Der Dienst meldet hier eine veraltete Liste`,
    away: (time) => `Seit ${time}: Diese Seite erreicht den Dienst nicht`,
  },
  alwaysCurrent: 'In den letzten 48 Stunden war sie immer aktuell.',
  alwaysCurrentSince: (time) => `Seit ${time}, dem Beginn des Verlaufs, war sie immer aktuell.`,
  moreTimes: (count) => `und ${numbers.format(count)} weitere Male`,

  facet: {
    region: 'Regionen',
    mode: 'Modi',
    map: 'Karten',
    version: 'Versionen',
  },
  facetValue: {
    region: 'Region',
    mode: 'Modus',
    map: 'Karte',
    version: 'Version',
  },
  otherValues: 'Andere',
  noValues: {
    region: 'Kein Server nennt seine Region.',
    mode: 'Kein Server nennt seinen Modus.',
    map: 'Kein Server nennt seine Karte.',
    version: 'Kein Server nennt seine Version.',
  },
};

function duration(seconds: number): string {
  if (seconds < 100) return `${Math.max(0, Math.round(seconds))} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
