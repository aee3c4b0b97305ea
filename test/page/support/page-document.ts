/** A document as far as the page asks it for the address of the service: of `https://list.test/games/`. */

export const PAGE_DOCUMENT = {
  baseURI: 'https://list.test/games/browse?map=x',
  documentElement: { dataset: { settings: '{"root":"./"}' } },
};
