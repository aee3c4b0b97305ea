/**
 * Loads the script of the page, and its styles again if they are missing. While replicas are upgraded, the one that
 * answers may be of another release than the page, and lack its files; the request is then repeated. Every release has
 * this file under this name, so it knows nothing of the rest of the page.
 */

const LONGEST_PAUSE_MS = 10_000;
/** The retries take some two minutes in all. */
const MOST_TRIES = 20;

function soon(tries: number, run: () => void): void {
  if (tries < MOST_TRIES)
    setTimeout(run, Math.min(500 * 2 ** tries, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2));
}

async function loadScript(url: string, tries = 0): Promise<void> {
  try {
    // A browser does not request a missing script again, unless its address is another one.
    await import(tries === 0 ? url : `${url}?again=${tries}`);
  } catch (error) {
    document.documentElement.classList.remove('is-recalled');
    soon(tries, () => void loadScript(url, tries + 1));
    reportError(error);
  }
}

/** Chromium has an empty sheet for a missing style, and does not let its rules be read. */
function hasRules({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0;
  } catch {
    return false;
  }
}

function loadStyleAgain(link: HTMLLinkElement, tries = 0): void {
  soon(tries, () => {
    const again = link.cloneNode() as HTMLLinkElement;
    again.addEventListener('error', () => loadStyleAgain(again, tries + 1));
    link.replaceWith(again);
  });
}

void loadScript(document.querySelector<HTMLLinkElement>('link[rel=modulepreload]')!.href);
// This deferred script runs after all styles before it have loaded or failed.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'))
  if (!hasRules(link)) loadStyleAgain(link);
