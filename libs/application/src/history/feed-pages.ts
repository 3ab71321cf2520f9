import { Inject, Injectable } from '@nestjs/common';

import { type EventStore, type Position, UndecodableEventError } from '#event-sourcing';
import { type ContextId } from '#shared-context';

import { reaches, seesEverything } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { ForbiddenError, InvalidPositionError, ResourceNotFoundError } from '../errors.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { EVENT_STORE } from '../tokens.js';
import { type FeedPage, type FeedRange, type Shows, scanFeed } from './feed-scan.js';

/** Reads the feed of a workspace page by page. */
@Injectable()
export class FeedPages {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly contexts: AuthorizedContextReader,
  ) {}

  /** Throws unless this principal may read the feed. */
  requireReader(principal: Principal): void {
    if (!['auditor', 'admin'].includes(principal.role))
      throw new ForbiddenError('the feed of a workspace is for auditors and admins');
    if (!seesEverything(principal))
      throw new ResourceNotFoundError('this key may not read for the audience "all"');
  }

  /** The same for all readers that are shown the same feed. */
  nameOf(principal: Principal): string {
    return JSON.stringify([principal.workspace, reachOf(principal)]);
  }

  /** Where a stated place is: a position beyond the newest event is of another log, and following it would wait for ever. */
  async placeOf(after: string): Promise<Position | 'start'> {
    const place = await this.findPlace(after);
    if (place === undefined) throw noSuchPlace();
    return place;
  }

  /** Undefined for a position that is none, or beyond the newest event. */
  async findPlace(after: string): Promise<Position | 'start' | undefined> {
    const head = await this.store.head();
    if (after === 'head') return head;
    if (after === 'start') return after;
    try {
      // Whatever is no position is thrown out by the comparison.
      const position = after as Position;
      return this.store.comparePositions(position, head) <= 0 ? position : undefined;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return undefined;
    }
  }

  /** What looks like a position may still be none that the store ever gave out: it says so when it reads there. */
  async read(principal: Principal, range: FeedRange): Promise<FeedPage> {
    try {
      return await scanFeed(this.store, range, this.#reachOf(principal));
    } catch (error) {
      throw error instanceof RangeError ? noSuchPlace() : error;
    }
  }

  /** Keys without limits need no look; for others each context is looked up once a page. */
  #reachOf(principal: Principal): Shows {
    const { workspace, contexts, workflows } = principal;
    const known = new Map<string, Promise<boolean>>();
    return (id) => {
      if (id.workspace !== workspace) return Promise.resolve(false);
      if (contexts === null && workflows === null) return Promise.resolve(true);
      const reach = known.get(id.contextId) ?? this.#isReached(principal, id);
      known.set(id.contextId, reach);
      return reach;
    };
  }

  async #isReached(principal: Principal, id: ContextId): Promise<boolean> {
    try {
      const { head } = await this.contexts.reader.readAt(id, 1, { keys: [], bodies: false });
      return head !== undefined && reaches(principal, head);
    } catch (error) {
      if (error instanceof UndecodableEventError) return false;
      throw error;
    }
  }
}

/** Keys with limits reach what nobody knows but they themselves. */
function reachOf({ contexts, workflows, keyId, name }: Principal): string | null {
  return contexts === null && workflows === null ? null : (keyId ?? name);
}

function noSuchPlace(): InvalidPositionError {
  return new InvalidPositionError(
    'after is "start", "head", or the nextCursor of a page of this feed; this is none, or beyond the newest event',
    'after',
  );
}
