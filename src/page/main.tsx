/** The entry of the page: starts the worker, and draws the page once there is a list to show. */

import { options, render } from 'preact';
import './style/base.css';
import './style/plain.css';
import { openFavourites, FavouritesContext } from './favourites/favourites.ts';
import { openMyRegions, MyRegionsContext } from './favourites/my-regions.ts';
import { ListClient } from './connection/list-client.ts';
import { allFilters, filtersText, parsePageUrl } from './address/page-url.ts';
import { ScrollPlace } from './address/scroll-place.ts';
import { settingsOf } from './connection/settings.ts';
import { createWorkers } from './connection/start-worker.ts';
import { Root } from './shell/root.tsx';

/** Rows that fill any screen; the table asks for those that it needs once it is drawn. */
const FIRST_ROWS = { start: 0, count: 50 };

// However much is told in a frame, the page is drawn once.
options.debounceRendering = (draw) => void requestAnimationFrame(draw);

const place = new ScrollPlace();
const settings = settingsOf(document.documentElement);
const regions = openMyRegions(window);
const state = parsePageUrl(location.search);
const firstRegions = state.isEmbedded ? [] : regions.value;
const view = { filters: filtersText(allFilters(state)), sort: state.sort, ids: undefined, firstRegions };
const list = new ListClient(createWorkers(settings.worker), {
  baseUrl: document.baseURI,
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
    <FavouritesContext.Provider value={openFavourites(window)}>
      <MyRegionsContext.Provider value={regions}>
        <Root settings={settings} list={list} place={place} />
      </MyRegionsContext.Provider>
    </FavouritesContext.Provider>,
    app,
  );
});
document.addEventListener('visibilitychange', () => list.setVisible(document.visibilityState === 'visible'));
