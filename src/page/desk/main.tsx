/** The entry of the desk, a bundle of its own: nothing of it is in what players load. */

import { render } from 'preact';
import '../style/tokens.css';
import '../style/base.css';
import '../style/controls.css';
import { applyKeptTheme } from '../parts/theme.ts';
import { Desk } from './desk.tsx';

applyKeptTheme();
const { root, proxied } = document.documentElement.dataset;
render(
  <Desk root={new URL(root!, document.baseURI).href} isProxied={proxied === 'true'} />,
  document.getElementById('app')!,
);
