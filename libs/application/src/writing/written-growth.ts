import { Injectable } from '@nestjs/common';

import { type ContextHead, type ContextId, type DecodedEvent } from '#read-models';
import { touchedKeys } from '#shared-context';

/** A context behind the last write of this process, and how many items its writes have touched, counted each time. */
export type Growth = Readonly<{ head: ContextHead; items: number }>;

const mostRemembered = 10_000;

/** How large this process has made contexts, which their rows say only once they are projected. */
@Injectable()
export class WrittenGrowth {
  readonly #growth = new Map<string, Growth>();

  /** `head`: as these events have left it. */
  note(head: ContextHead, events: readonly DecodedEvent[]): void {
    const name = nameOf(head);
    const before = this.#growth.get(name)?.items ?? 0;
    const items = events.reduce((sum, event) => sum + touchedKeys(event).length, before);
    this.#growth.delete(name);
    this.#growth.set(name, { head, items });
    const [oldest] = this.#growth.keys();
    if (oldest !== undefined && this.#growth.size > mostRemembered) this.#growth.delete(oldest);
  }

  /** What was written last, whether or not it is projected; undefined if nothing was, or it is known to be projected. */
  find(id: ContextId): Growth | undefined {
    return this.#growth.get(nameOf(id));
  }

  /** What was written behind the version that the rows have reached. */
  behind(id: ContextId, projected: number): Growth | undefined {
    const growth = this.find(id);
    if (!growth || growth.head.version > projected) return growth;
    this.#growth.delete(nameOf(id));
    return undefined;
  }
}

function nameOf({ workspace, contextId }: ContextId): string {
  return `${workspace}:${contextId}`;
}
