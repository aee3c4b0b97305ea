/** All texts of the page in German. */

import type { Texts } from './en.ts';

const numbers = new Intl.NumberFormat('de');

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
};
