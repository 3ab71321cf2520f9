import { Inject, Injectable } from '@nestjs/common';

import {
  type ChainBreak,
  type ChainEnd,
  type EventStore,
  type StoredEvent,
  checkChain,
} from '#event-sourcing';
import { sha256 } from '#read-models';
import { type ContextId, ContextNotFoundError, contextStream } from '#shared-context';

import { seesEverything } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { EVENT_STORE } from '../tokens.js';

/** An event has up to a mebibyte, so a page has at most this many. */
const longestPage = 64;

/** Events with an intact hash chain, and the break after them, if any. */
type ChainPage = Readonly<{
  events: readonly StoredEvent[];
  end: ChainEnd;
  broken: ChainBreak | null;
}>;

type ChainRequest = Readonly<{ principal: Principal; contextId: string; signal?: AbortSignal }>;

/** Reads and checks streams from their first event on, with bounded memory. */
@Injectable()
export class ContextChain {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly contexts: AuthorizedContextReader,
  ) {}

  /**
   * Refuses missing contexts and contexts out of reach. A key without limits needs only the version for that, so that a
   * broken context can be checked.
   */
  async find(request: ChainRequest): Promise<ContextId> {
    const { principal, contextId } = request;
    const id = { workspace: principal.workspace, contextId };
    const unlimited = principal.contexts === null && principal.workflows === null;
    if (!unlimited || !seesEverything(principal)) await this.contexts.readHead(request);
    else if ((await this.contexts.reader.version(id, request)) === 0)
      throw new ContextNotFoundError();
    return id;
  }

  /** Ends after the first page with a break. */
  async *pages(id: ContextId, signal?: AbortSignal): AsyncGenerator<ChainPage> {
    const owner = { workspace: id.workspace, context: id.contextId };
    const options = signal && { signal };
    let end: ChainEnd = { version: 0, hash: null };
    for (;;) {
      const read = { from: end.version + 1, limit: longestPage };
      const events = await this.store.readStream(contextStream(id), read, options);
      const checked = checkChain(events, end, owner, sha256);
      const intact = checked.broken ? events.slice(0, checked.end.version - end.version) : events;
      end = checked.end;
      yield { events: intact, ...checked };
      if (checked.broken || events.length < longestPage) return;
    }
  }
}
