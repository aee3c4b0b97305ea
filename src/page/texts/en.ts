/** All texts of the page in English, and the shape of every language. */

export const EN = {
  /** Of the language itself, for the switch. */
  language: 'English',
  list: 'Servers',
  overview: 'Overview',
  loading: 'Loading the list …',
  servers: (count: number): string => (count === 1 ? '1 server' : `${format(count)} servers`),

  // Filters, favourites, and one server.
  search: 'Search servers',
  copyAddress: 'Copy address',
  copyAddressOf: (name: string): string => `Copy address: ${name}`,
  connect: 'Connect',
  connectTo: (name: string): string => `Connect: ${name}`,
  favouriteOf: (name: string): string => `Favourite: ${name}`,
  notListedNow: 'not listed now',
  removeFavourite: 'Remove',
  nothingMatches: 'No server matches all filters.',
};

export type Texts = typeof EN;

const numbers = new Intl.NumberFormat('en');

function format(count: number): string {
  return numbers.format(count);
}
