/** The settings of the page, which the service puts into its HTML. */

export interface Settings {
  /** The address of the service, relative to the page: the page of one server lies a step deeper than the list. */
  readonly root: './' | '../';
  /** The path of the registry among several, such as `/racer/`; '' at the root. */
  readonly path: string;
  readonly title: string;
  /** A line above everything that the page shows; null for none. */
  readonly notice: string | null;
  /** The address that opens a player's game, with placeholders such as {ip}; null for none. */
  readonly connect: string | null;
  /** The names of regions that the operator gives. */
  readonly regions: Readonly<Record<string, string>>;
  /** The address of a picture, relative to the service; null for none. */
  readonly logo: string | null;
  /** The address of the list for programs, relative to the service; no redirect leads from it to the page. */
  readonly json: string;
  /** The address of the worker's script, relative to the service. */
  readonly worker: string;
  /** The labels whose servers are hidden until a reader asks for them. */
  readonly hiddenLabels: readonly string[];
  /** The reasons for which a server can be reported; none if it cannot. */
  readonly reportReasons: readonly string[];
  readonly reportNotes: boolean;
  /** The keys of `meta` that have a filter. */
  readonly metaFilters: readonly string[];
  /** Whether there may be unlisted servers with join codes. */
  readonly hasJoinCodes: boolean;
  /** Whether the service keeps a history of each server. */
  readonly hasServerHistories: boolean;
  /** Whether there are beacons, by which the page can estimate how near a server is. */
  readonly hasBeacons: boolean;
}

/** `root`: the element of the whole document. */
export function settingsOf(root: {
  readonly dataset: Readonly<Record<string, string | undefined>>;
}): Settings {
  return JSON.parse(root.dataset['settings']!) as Settings;
}
