/**
 * What the page keeps in the browser, by name: texts that a reader has chosen. Registries below paths share the storage
 * of an origin, so each has keys of its own. A browser may refuse its storage, and others may write to it.
 */

import { settingsOf } from '../connection/settings.ts';

/** The key of what this page keeps by the name. At a host of its own, a registry has the storage for itself. */
export function keptKey(name: string): string {
  const { path } = settingsOf(document.documentElement);
  return `gsls-${name}` + (location.pathname.includes(path) ? path : '');
}

/** Null if nothing is kept. */
export function keptText(name: string): string | null {
  try {
    return localStorage.getItem(keptKey(name));
  } catch {
    return null;
  }
}

/** Without a storage, or when it is full, the text is lost with the visit. */
export function keepText(name: string, text: string): void {
  try {
    localStorage.setItem(keptKey(name), text);
  } catch {
    // As said above.
  }
}
