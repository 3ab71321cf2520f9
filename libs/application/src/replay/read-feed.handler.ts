import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type EventStore, type Position, UndecodableEventError } from '#event-sourcing';
import { type ContextId } from '#read-models';

import { reaches, seesWhole } from '../access/authorize.js';
import { type Principal } from '../access/principal.js';
import { ForbiddenError, InvalidPositionError, ResourceNotFoundError } from '../errors.js';
import { LongPolls } from '../long-polls/long-polls.js';
import { ReachableContext } from '../reading/reachable-context.js';
import { EVENT_STORE } from '../tokens.js';
import { type Shows, scanFeed } from './feed-scan.js';
import { ReadFeedQuery } from './replay.queries.js';

@QueryHandler(ReadFeedQuery)
export class ReadFeedHandler implements IQueryHandler<ReadFeedQuery> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly contexts: ReachableContext,
    private readonly polls: LongPolls,
  ) {}

  async execute({ request }: ReadFeedQuery) {
    const { principal, limit, waitSeconds: seconds = 0, signal } = request;
    if (!['auditor', 'admin'].includes(principal.role))
      throw new ForbiddenError('the feed of a workspace is for auditors and admins');
    if (!seesWhole(principal))
      throw new ResourceNotFoundError('this key may not read for the audience "all"');
    const after = await this.#placeOf(request.after);
    const page = (place: Position | 'start') =>
      this.#scan({ after: place, limit }, this.#reachOf(principal));
    let place = after;
    const found = await this.polls.poll(
      { principal, seconds, signal },
      {
        name: `feed ${JSON.stringify([principal.workspace, reachOf(principal), after, limit])}`,
        of: { workspace: principal.workspace },
        awaited: { types: 'any' },
        // What was looked at before holds nothing for any of those who wait behind the same place.
        read: async () => {
          const next = await page(place);
          if (next.answer.items.length === 0) place = next.next;
          return next;
        },
        isThere: ({ answer, atEnd }) => answer.items.length > 0 || !atEnd,
      },
      // Role and reach of who asks are part of the name.
      { own: () => page(after), mayShare: true, isOwn: () => true },
    );
    return found.answer;
  }

  /** A position beyond the newest event is of another log: following it would wait for ever. */
  async #placeOf(after: string): Promise<Position | 'start'> {
    const head = await this.store.head();
    if (after === 'head') return head;
    if (after === 'start') return after;
    try {
      // Whatever is no position is thrown out by the comparison.
      if (this.store.comparePositions(after as Position, head) <= 0) return after as Position;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    throw noSuchPlace();
  }

  /** What looks like a position may still be none that the store ever gave out: it says so when it reads there. */
  async #scan(place: Parameters<typeof scanFeed>[1], shows: Shows) {
    try {
      const { items, next, atEnd } = await scanFeed(this.store, place, shows);
      return { answer: { items, nextCursor: next }, next, atEnd };
    } catch (error) {
      throw error instanceof RangeError ? noSuchPlace() : error;
    }
  }

  /** Keys without limits need no look; for others each context is looked up once a request. */
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
