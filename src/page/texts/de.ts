/** All texts of the page in German. */

import type { Texts } from './en.ts';

const numbers = new Intl.NumberFormat('de');
const time = new Intl.DateTimeFormat('de', { timeStyle: 'short' });

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
    since: (asOf) => `Die Liste ist von ${time.format(asOf)} Uhr;`,
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
};

function duration(seconds: number): string {
  if (seconds < 100) return `${Math.max(0, Math.round(seconds))} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
