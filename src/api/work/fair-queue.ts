/** A queue in which clients have their turns one after the other, however many items each has put in. */

export class FairQueue<T> {
  /** The items of each client, none of them empty. The client whose turn it is comes first. */
  readonly #queues = new Map<string, T[]>();

  /** `isFirst`: put the item before all others of the client. */
  push(client: string, item: T, isFirst = false): void {
    const queue = this.#queues.get(client);
    if (queue === undefined) this.#queues.set(client, [item]);
    else if (isFirst) queue.unshift(item);
    else queue.push(item);
  }

  /** Takes the oldest item of the next client that may have one; undefined if there is none. */
  shift(mayHave: (client: string) => boolean = () => true): T | undefined {
    for (const [client, queue] of this.#queues) {
      if (!mayHave(client)) continue;
      this.#queues.delete(client);
      const item = queue.shift();
      if (queue.length > 0) this.#queues.set(client, queue);
      return item;
    }
    return undefined;
  }
}
