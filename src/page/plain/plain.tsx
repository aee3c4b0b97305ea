/** The entry of the page that the service draws: of the same components as the page with its script. */

import { options, type VNode } from 'preact';
import { renderList } from './plain-list.tsx';
import { renderProblem } from './plain-problem.tsx';
import { renderServer } from './plain-server.tsx';
import type { PlainRenderer } from './renderer.ts';

// The policy of the page forbids styles in its HTML; a script may set them.
options.vnode = ({ props }: VNode<{ style?: unknown }>) => {
  delete props.style;
};

export default { renderList, renderServer, renderProblem } satisfies PlainRenderer;
