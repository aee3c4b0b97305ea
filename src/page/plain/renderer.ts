/**
 * What the service and the build of the page agree on: how the page is drawn for a browser before its script, and for
 * one without. The build leaves the renderer in `plain.mjs`.
 */

import type { ListedServer } from '../../model/view/listed-server.ts';
import type { Settings } from '../connection/settings.ts';

/** What one rendering is of. */
export interface PlainView {
  readonly settings: Settings;
  readonly files: PlainFiles;
  /** Of the address, without its cursor and still percent-encoded. */
  readonly query: string;
  /** One of LANGUAGES. */
  readonly language: string;
  /** Since when the list is not current, ms since the epoch; undefined if it is. */
  readonly staleSince: number | undefined;
}

/** The addresses of what the page loads, relative to it. */
export interface PlainFiles {
  readonly icon: string;
  /** The script that makes the page look as its reader has chosen. */
  readonly theme: string;
  /** In their order. */
  readonly styles: readonly string[];
  readonly script: string;
  /** The script that loads that of the page. */
  readonly start: string;
}

export interface PlainList {
  readonly rows: Iterable<ListedServer>;
  /** How many match in all. */
  readonly total: number;
  /** Whether it begins with the first of them. */
  readonly isFirst: boolean;
  /** Of the next page; undefined for none. */
  readonly nextQuery: string | undefined;
  /** Of the service, as the reader reaches it. */
  readonly serviceUrl: string;
}

export interface PlainProblem {
  /** What is wrong. */
  readonly message: string;
  /** The same in the words of the API. */
  readonly reason: string | undefined;
}

/** Each makes a whole document. */
export interface PlainRenderer {
  /** Yields after a fraction of a ms. */
  readonly renderList: (view: PlainView, list: PlainList) => Generator<undefined, string>;
  readonly renderServer: (view: PlainView, server: ListedServer) => string;
  readonly renderProblem: (view: PlainView, problem: PlainProblem) => string;
}
