/**
 * The interface between the service and the build of the page: how the page is rendered for a browser before its script
 * runs, and for one without scripts. The build writes the renderer to `plain.mjs`.
 */

import type { ListedServer } from '../../model/view/listed-server.ts';
import type { components } from '../../model/view/api.d.ts';
import type { Settings } from '../connection/settings.ts';

/** The common input of a rendering. */
export interface PlainView {
  readonly settings: Settings;
  readonly files: PlainFiles;
  /** The query of the address, without its cursor and still percent-encoded. */
  readonly query: string;
  /** The tag of one of LANGUAGES. */
  readonly language: string;
  /** When the list ceased to be current, ms since the epoch; undefined if it is current. */
  readonly staleSince: number | undefined;
}

/** The addresses of the files that the page loads, relative to the service. */
export interface PlainFiles {
  readonly icon: string;
  /** The script that applies the theme that the reader has chosen. */
  readonly theme: string;
  /** The styles in their order. */
  readonly styles: readonly string[];
  readonly script: string;
  /** The script that loads the page's script. */
  readonly start: string;
}

export interface PlainList {
  readonly rows: Iterable<ListedServer>;
  /** How many servers match in all. */
  readonly total: number;
  /** Whether it begins with the first matching server. */
  readonly isFirst: boolean;
  /** The query of the next page; undefined for none. */
  readonly nextQuery: string | undefined;
  /** The address by which the reader reaches the service. */
  readonly serviceUrl: string;
}

export interface PlainProblem {
  /** The problem, in the reader's language. */
  readonly message: string;
  /** The problem in the words of the API. */
  readonly reason: string | undefined;
}

/** Each function renders a whole document. */
export interface PlainRenderer {
  /** Yields after a fraction of a ms. */
  readonly renderList: (view: PlainView, list: PlainList) => Generator<undefined, string>;
  /** `publicUrl`: the address of the service for everybody, with which others preview the page; undefined for none. */
  readonly renderServer: (view: PlainView, server: ListedServer, publicUrl: string | undefined) => string;
  readonly renderOverview: (view: PlainView, stats: components['schemas']['Stats']) => string;
  readonly renderProblem: (view: PlainView, problem: PlainProblem) => string;
}
