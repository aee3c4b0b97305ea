/** Makes a screen reader read out what a button has done. */

/** How long after its creation the element gets its text: changes of a text are read, new elements are not. */
const CHANGE_AFTER_MS = 100;
const GONE_AFTER_MS = 3000;

export function sayAloud(text: string): void {
  const region = document.createElement('div');
  region.className = 'visually-hidden';
  region.setAttribute('role', 'status');
  // Elements outside of an open dialog are not read.
  (document.querySelector('dialog:modal') ?? document.body).append(region);
  setTimeout(() => (region.textContent = text), CHANGE_AFTER_MS);
  setTimeout(() => region.remove(), GONE_AFTER_MS);
}
