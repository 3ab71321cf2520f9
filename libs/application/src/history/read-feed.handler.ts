import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { type Position } from '#event-sourcing';

import { LongPolls } from '../long-polls/long-polls.js';
import { FeedPages } from './feed-pages.js';
import { ReadFeedQuery } from './history.queries.js';

@QueryHandler(ReadFeedQuery)
export class ReadFeedHandler implements IQueryHandler<ReadFeedQuery> {
  constructor(
    private readonly pages: FeedPages,
    private readonly polls: LongPolls,
  ) {}

  async execute({ request }: ReadFeedQuery) {
    const { principal, limit, waitSeconds: seconds = 0, signal } = request;
    this.pages.requireReader(principal);
    const after = await this.pages.resolvePosition(request.after);
    const page = async (place: Position | 'start') => {
      const { items, next, atEnd } = await this.pages.read(principal, { after: place, limit });
      return { answer: { items, nextCursor: next }, next, atEnd };
    };
    let place = after;
    const found = await this.polls.poll(
      { principal, seconds, signal },
      {
        name: `feed ${this.pages.nameOf(principal)} ${JSON.stringify([after, limit])}`,
        of: { workspace: principal.workspace },
        awaited: { types: 'any' },
        // Examined events match nothing for all requests that wait at the same position.
        read: async () => {
          const next = await page(place);
          if (next.answer.items.length === 0) place = next.next;
          return next;
        },
        hasAnswer: ({ answer, atEnd }) => answer.items.length > 0 || !atEnd,
      },
      // The name includes the role and the limits of the requester.
      { own: () => page(after), mayShare: true, isOwn: () => true },
    );
    return found.answer;
  }
}
