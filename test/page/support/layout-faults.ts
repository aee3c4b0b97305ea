/**
 * What is wrong with the layout of a page: cut, covered, overlapped or outside. It runs in the page, and so knows
 * nothing else.
 */

import type { Frame, Page } from 'playwright-core';

/** Of the page as it is now, once it has been drawn: each fault as a text. Of the rows, those that are in view. */
export function layoutFaults(page: Page | Frame): Promise<string[]> {
  return page.evaluate<string[]>(SCRIPT);
}

async function findFaults(): Promise<string[]> {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  // What the page draws anew for its size, it draws in the second one.
  await new Promise((resolve) => setTimeout(resolve));
  /** What rounding may come to, in px. */
  const SLACK = 1.5;
  /** Of a text, in a fault. */
  const NAMED = 24;
  const CONTROLS = 'button, a[href], input, select, summary';
  const faults: string[] = [];
  const { clientWidth, clientHeight, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth} px wide in ${clientWidth} px`);

  interface Box {
    readonly element: Element;
    readonly name: string;
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  }
  const nameOf = (element: Element): string => {
    const { className, tagName } = element.closest('[class]') ?? element;
    return `${tagName.toLowerCase()}.${className} "${(element.textContent || '').slice(0, NAMED)}"`;
  };
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element): CSSStyleDeclaration => {
    const style = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, style);
    return style;
  };
  const isForReadersAlone = (element: Element): boolean => {
    for (let each: Element | null = element; each !== null; each = each.parentElement)
      if (styleOf(each).clipPath === 'inset(50%)') return true;
    return false;
  };
  const isClipping = (element: Element): boolean => {
    const { overflowX, contain } = styleOf(element);
    return overflowX !== 'visible' || /strict|content|paint/.test(contain);
  };
  /** The nearest ancestor that cuts it off at a side, if there is one. */
  const cutterOf = (element: Element, box: Box): Element | undefined => {
    for (let each: Element | null = element; each !== null; each = each.parentElement) {
      if (styleOf(each).position === 'fixed') return undefined;
      if (!isClipping(each) || each === document.documentElement || each === document.body) continue;
      const { left, right, top, bottom } = each.getBoundingClientRect();
      // What scrolls brings it into view.
      if (each.matches('.filter-chips')) return undefined;
      if (box.left < left - SLACK || box.right > right + SLACK) return each;
      const isScrolled = /auto|scroll/.test(styleOf(each).overflowY);
      if (!isScrolled && (box.top < top - SLACK || box.bottom > bottom + SLACK)) return each;
    }
    return undefined;
  };
  const clipped = (box: Box): Box => {
    let { left, right, top, bottom } = box;
    for (let each: Element | null = box.element; each !== null; each = each.parentElement) {
      if (!isClipping(each)) continue;
      const rect = each.getBoundingClientRect();
      left = Math.max(left, rect.left);
      right = Math.min(right, rect.right);
      top = Math.max(top, rect.top);
      bottom = Math.min(bottom, rect.bottom);
    }
    return { ...box, left, right, top, bottom };
  };
  const boxOf = (element: Element, rect: DOMRect): Box => {
    const { left, right, top, bottom } = rect;
    return { element, name: nameOf(element), left, right, top, bottom };
  };

  /** A sheet is over the list, and what is below it can be scrolled out from there. */
  const sheet = document.querySelector('.filter-panel');
  const isOnSheet = (element: Element): boolean => sheet?.contains(element) === true;

  const boxes: Box[] = [];
  for (const control of document.querySelectorAll(CONTROLS)) {
    const rect = control.getBoundingClientRect();
    if (rect.width === 0 || rect.height === 0 || isForReadersAlone(control)) continue;
    if (styleOf(control).visibility === 'hidden') continue;
    const box = boxOf(control, rect);
    if (box.top > clientHeight) continue;
    if (box.left < -SLACK || box.right > clientWidth + SLACK) faults.push(`${box.name} is outside`);
    // A link may be a text that ends in an ellipsis, or fades.
    const isText = control.matches('td.name a, .filter-chips a');
    const cutter = cutterOf(control.parentElement!, box);
    if (cutter !== undefined && !isText) faults.push(`${box.name} is cut by ${nameOf(cutter)}`);
    if (!isText && control.scrollWidth > control.clientWidth + SLACK && control.clientWidth > 0)
      faults.push(`${box.name} is too narrow for its text`);
    const [x, y] = [(rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2];
    const seen = clipped(box);
    // A control that is cut aside is a fault of its own, above.
    const isSeen = x > seen.left && x < seen.right && y > seen.top && y < seen.bottom;
    if (y < clientHeight && x < clientWidth && isSeen) {
      const top = document.elementFromPoint(x, y);
      const isInControl = top !== null && (control.contains(top) || top.closest('label')?.contains(control));
      if (top !== null && !isInControl && isOnSheet(top) === isOnSheet(control))
        faults.push(`${box.name} is covered by ${nameOf(top)}`);
    }
    boxes.push(isText || isOnSheet(control) ? seen : box);
  }

  const texts = document.createTreeWalker(document.getElementById('app')!, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const element = node.parentElement!;
    if (node.textContent!.trim() === '' || isForReadersAlone(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rect = range.getBoundingClientRect();
    if (rect.width === 0 || rect.height === 0 || rect.top > clientHeight) continue;
    const box = boxOf(element, rect);
    const cutter = cutterOf(element, box);
    if (cutter !== undefined) {
      const { left, right } = cutter.getBoundingClientRect();
      const isCutAside = box.left < left - SLACK || box.right > right + SLACK;
      const { textOverflow, maskImage } = styleOf(cutter);
      const hasEllipsis = isCutAside && (textOverflow === 'ellipsis' || maskImage !== 'none');
      const title = element.closest('[title]')?.getAttribute('title') ?? '';
      if (!hasEllipsis || title === '') faults.push(`the text ${box.name} is cut by ${nameOf(cutter)}`);
      if (right - left < 4) continue;
    } else if (box.left < -SLACK || box.right > clientWidth + SLACK)
      faults.push(`the text ${box.name} is outside`);
    boxes.push(clipped(box));
  }

  for (const [n, one] of boxes.entries())
    for (const other of boxes.slice(n + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      if (isOnSheet(one.element) !== isOnSheet(other.element)) continue;
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (width > SLACK && height > 3) faults.push(`${one.name} overlaps ${other.name}`);
    }
  return [...new Set(faults)];
}

/** The runner names the functions of a source by one that a page does not have. */
const SCRIPT = `(() => { const __name = (made) => made; return (${findFaults.toString()})(); })()`;
