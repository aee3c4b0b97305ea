/**
 * The entry of the page: starts the worker, and renders the page once there is a list to show.
 *
 * Preact is the smallest of the well-kept frameworks (5 kB), and its components are plain functions with types.
 */

import { options, render } from 'preact';
import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './parts/regions.css';
import './style/plain.css';
import { Favourites, FavouritesContext } from './favourites/favourites.ts';
import { openKept } from './favourites/kept.ts';
import { createMyRegions, MyRegionsContext } from './favourites/my-regions.ts';
import { ListClient } from './connection/list-client.ts';
import { listFilters } from './address/page-url.ts';
import { ScrollPlace } from './address/scroll-place.ts';
import { settingsOf } from './connection/settings.ts';
import { serviceUrl } from './connection/service-url.ts';
import { Root, stateAt } from './shell/root.tsx';

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { readonly createScriptURL: (url: string) => string };
}

/**
 * Returns a function that starts a worker, and may be called again. `address`: relative to the service. Throws if it is
 * of another origin. Only here does the page make a script's address, so Trusted Types allow that only here.
 */
function createWorkers(address: string): (tries: number) => Worker {
  const url = new URL(serviceUrl(address));
  if (url.origin !== location.origin) throw new Error('the worker has to be of the same origin');
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('gsls', { createScriptURL: (text) => text });
  return (tries) => {
    const text = tries === 0 ? url.href : `${url.href}?again=${tries}`;
    return new Worker(policy?.createScriptURL(text) ?? text, { type: 'module' });
  };
}

/** Enough rows to fill any screen; the table requests those that it needs once it is rendered. */
const FIRST_ROWS = { start: 0, count: 50 };

// The page is rendered once in a frame, however many messages arrive.
options.debounceRendering = (draw) => void requestAnimationFrame(draw);

// A browser resolves the address of the icon again after each step, and the pages of servers are in another folder.
const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')!;
icon.setAttribute('href', icon.href);

const place = new ScrollPlace();
const settings = settingsOf(document.documentElement);
const regions = openKept(window, createMyRegions);
const root = new URL(serviceUrl('')).pathname;
const state = stateAt(location, root);
const firstRegions = state.isEmbedded ? [] : (regions.value ?? []);
const filters = listFilters(state, settings.hiddenLabels);
const view = { filters, sort: state.sort, ids: undefined, firstRegions };
const list = new ListClient(createWorkers(settings.worker), {
  baseUrl: serviceUrl(''),
  metaKeys: settings.metaFilters,
  view,
  range: FIRST_ROWS,
});
const stop = list.subscribe(() => {
  const { rows, feed } = list.status;
  // Until then the plain page of the service is shown.
  if (rows === undefined && feed.is === 'connecting') return;
  stop();
  const app = document.getElementById('app')!;
  app.replaceChildren();
  render(
    <FavouritesContext.Provider value={openKept(window, (storage) => new Favourites(storage))}>
      <MyRegionsContext.Provider value={regions}>
        <Root settings={settings} list={list} place={place} root={root} />
      </MyRegionsContext.Provider>
    </FavouritesContext.Provider>,
    app,
  );
});
document.addEventListener('visibilitychange', () => list.setVisible(document.visibilityState === 'visible'));
