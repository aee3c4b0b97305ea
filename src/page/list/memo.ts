/** Keeps what a component drew for as long as its properties are the same. */

import { Component, type ComponentClass, type JSX } from 'preact';

export function memo<P>(
  View: (properties: P) => JSX.Element,
  isSame: (one: P, other: P) => boolean,
): ComponentClass<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return !isSame(this.props, next);
    }

    override render(): JSX.Element {
      return View(this.props);
    }
  };
}
