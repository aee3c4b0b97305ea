/** All texts of the page in German. */

import type { Texts } from './en.ts';
import { createFormats } from './formats.ts';

const { number: format, time, duration } = createFormats('de');

export const DE: Texts = {
  language: 'Deutsch',
  direction: 'ltr',
  list: 'Server',
  overview: 'Überblick',
  statistics: {
    now: 'Jetzt',
    numberOf: {
      servers: 'Server',
      players: 'Spieler',
      places: 'Plätze',
      empty: 'Leere Server',
      full: 'Volle Server',
    },
    numbersAsOf: (at) => `Der Dienst ist nicht erreichbar: Zahlen von ${at}.`,
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
    atTime: (at, servers, players, peak) =>
      `${at} – Server: ${servers}, Spieler: ${players}, Höchststand: ${peak}`,
    nothingAtTime: (at) => `${at} – keine aktuelle Liste`,
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
    staleSince: (at, ago) => `Nein: Laut dem Dienst ist die Liste vom Stand ${at}, ${ago}.`,
    awaySince: (at, ago) =>
      `Nein: Der Dienst ist nicht erreichbar. Die Liste hat den Stand von ${at}, ${ago}.`,
    awayWithoutList: 'Nein: Der Dienst ist nicht erreichbar.',
    lastNotCurrent: 'Wann sie es nicht war',
    outage: (period) => `${period}: Keine Instanz des Dienstes hatte eine aktuelle Liste`,
    outageSince: (at) => `Seit ${at}: Keine Instanz des Dienstes hatte eine aktuelle Liste`,
    interruption: {
      stale: (period) => `${period}: Der Dienst meldete hier eine veraltete Liste`,
      away: (period) => `${period}: Diese Seite hat den Dienst nicht erreicht`,
    },
    interruptionSince: {
      stale: (at) => `Seit ${at}: Der Dienst meldet hier eine veraltete Liste`,
      away: (at) => `Seit ${at}: Diese Seite erreicht den Dienst nicht`,
    },
    alwaysCurrent: 'In den letzten 48 Stunden war sie immer aktuell.',
    alwaysCurrentSince: (at) => `Seit ${at}, dem Beginn des Verlaufs, war sie immer aktuell.`,
    moreTimes: (count) => `und ${format(count)} weitere Male`,

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
  },

  openWholePage: 'Ganze Seite öffnen',
  forPrograms: 'Für Programme',
  listAsJson: 'Liste als JSON',
  api: 'API',
  languages: 'Sprachen',
  loading: 'Die Liste wird geladen …',
  servers: (count) => `${format(count)} Server`,

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
  playersOf: (players, places) => `${format(players)} / ${format(places)}`,
  full: 'voll',
  password: 'Passwort nötig',
  addressCopied: 'Adresse kopiert',
  gone: 'Nicht mehr da:',
  count: (total, listed, players) => {
    const servers = total === listed ? DE.servers(total) : `${format(total)} von ${format(listed)} Servern`;
    return `${servers} · ${format(players)} Spieler`;
  },
  waiting: (count) => (count === 1 ? '1 Änderung wartet' : `${format(count)} Änderungen warten`),
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
    asOf: (seconds) => `Die Liste ist ${duration(1000 * seconds)} alt.`,
    since: (asOf) => `Die Liste ist von ${time(asOf.getTime())} Uhr;`,
    nextTry: (seconds) =>
      seconds < 1 ? 'ein neuer Versuch läuft …' : `nächster Versuch in ${duration(1000 * seconds)}.`,
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

  // Of the page without its script.
  plain: {
    search: 'Suchen',
    nextPage: 'Nächste Seite',
    firstPage: 'Erste Seite',
    allServers: 'Alle Server',
    wrongAddress: 'Die Adresse dieser Seite fragt nach etwas, das es nicht gibt:',
    notListed: 'Dieser Server ist nicht mehr gelistet.',
    asOf: 'Stand der Liste:',
    addresses: 'Weitere Adressen',
    registered: 'Gelistet seit',
  },
};
