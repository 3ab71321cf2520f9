import { Inject, Injectable } from '@nestjs/common';

import { type EventStore, type Position, UndecodableEventError } from '#event-sourcing';
import { type ContextId } from '#shared-context';

import { reaches, seesEverything } from '../access/reach.js';
import { type Principal } from '../access/principal.js';
import { ForbiddenError, InvalidPositionError, ResourceNotFoundError } from '../errors.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { EVENT_STORE } from '../tokens.js';
import { type FeedPage, type FeedRange, type VisibilityCheck, scanFeed } from './feed-scan.js';

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

  /** Equal for all readers that see the same feed. */
  nameOf(principal: Principal): string {
    return JSON.stringify([principal.workspace, reachOf(principal)]);
  }

  /**
   * Resolves a requested position. A position beyond the newest event belongs to another log: following it would wait
   * forever.
   */
  async resolvePosition(after: string): Promise<Position | 'start'> {
    const place = await this.findPosition(after);
    if (place === undefined) throw invalidPosition();
    return place;
  }

  /** Undefined for an invalid position, or one beyond the newest event. */
  async findPosition(after: string): Promise<Position | 'start' | undefined> {
    const head = await this.store.head();
    if (after === 'head') return head;
    if (after === 'start') return after;
    try {
      // The comparison throws for an invalid position.
      const position = after as Position;
      return this.store.comparePositions(position, head) <= 0 ? position : undefined;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return undefined;
    }
  }

  /**
   * Reads a page. A well-formed position may still be one that the store never issued: the store reports that on the
   * read.
   */
  async read(principal: Principal, range: FeedRange): Promise<FeedPage> {
    try {
      return await scanFeed(this.store, range, this.#reachOf(principal));
    } catch (error) {
      throw error instanceof RangeError ? invalidPosition() : error;
    }
  }

  /** Keys without limits need no lookup; for others each context is looked up once per page. */
  #reachOf(principal: Principal): VisibilityCheck {
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

/** Limits differ between keys, so keys with limits share no reads. */
function reachOf({ contexts, workflows, keyId, name }: Principal): string | null {
  return contexts === null && workflows === null ? null : (keyId ?? name);
}

function invalidPosition(): InvalidPositionError {
  return new InvalidPositionError(
    'after must be "start", "head", or the nextCursor of a page of this feed; this value is none of them, or is beyond the newest event',
    'after',
  );
}
