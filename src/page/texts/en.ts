/** All texts of the page in English, and the shape of every language. */

export const EN = {
  /** Of the language itself, for the switch. */
  language: 'English',
  list: 'Servers',
  overview: 'Overview',
  loading: 'Loading the list …',
  servers: (count: number): string => (count === 1 ? '1 server' : `${format(count)} servers`),
};

export type Texts = typeof EN;

const numbers = new Intl.NumberFormat('en');

function format(count: number): string {
  return numbers.format(count);
}
