/** The details that are true or false. The texts name them, and the types of the API reveal if one is missing there. */

import type { ListedServer } from '../../model/view/listed-server.ts';
import { EN } from '../texts/en.ts';

type FlagName = {
  [Name in Exclude<keyof ListedServer, 'country_found'>]-?: Required<ListedServer>[Name] extends boolean
    ? Name
    : never;
}[Exclude<keyof ListedServer, 'country_found'>];

export const FLAGS = Object.keys(EN.flags satisfies Record<FlagName, object>) as readonly FlagName[];
