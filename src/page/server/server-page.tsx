/** The page of one server: what a link to it shows. */

import './server.css';
import type { JSX } from 'preact';
import { FavouriteButton } from '../favourites/favourite-button.tsx';
import { usePage } from '../parts/page-context.ts';
import { PageLink } from '../parts/page-link.tsx';
import { ServerBody } from './server-body.tsx';
import { useServer } from './use-server.ts';
import { useServerTitle } from './use-server-title.ts';

export function ServerPage({ id }: { readonly id: string }): JSX.Element {
  const { texts, navigate } = usePage();
  const status = useServer(id);
  const { server } = status;
  const title = useServerTitle(server?.name);
  const toList = { view: 'list', serverId: undefined } as const;
  return (
    <article class="server-page">
      <p>
        <PageLink to={toList}>{texts.plain.allServers}</PageLink>
      </p>
      <div class="card details-content">
        <div class="in-lines details-head">
          <h2>
            <bdi>{title}</bdi>
          </h2>
          {server !== undefined && <FavouriteButton server={server} />}
        </div>
        <ServerBody id={id} status={status} onBack={() => navigate(toList)} />
      </div>
    </article>
  );
}
