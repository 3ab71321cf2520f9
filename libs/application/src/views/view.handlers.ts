import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { readingAs } from '../access/reading-as.js';
import { SummaryNote } from '../summaries/summary-note.js';
import {
  FindViewItemQuery,
  FindViewQuery,
  type NotedView,
  type RenderedView,
  type ViewRequest,
} from './view.messages.js';
import { ViewExpansion } from './view-expansion.js';
import { Views } from './views.js';

@QueryHandler(FindViewQuery)
export class FindViewHandler implements IQueryHandler<FindViewQuery> {
  constructor(
    private readonly views: Views,
    private readonly summaries: SummaryNote,
  ) {}

  async execute({ request }: FindViewQuery): Promise<NotedView> {
    const principal = readingAs(request.principal, request.agent);
    const view = await this.views.render({ ...request, principal });
    return { ...view, notes: await this.#notes(request, view) };
  }

  /** A narrower audience would learn of what it does not see, and the past is as it was. */
  async #notes({ principal, contextId, asOf }: ViewRequest, view: RenderedView): Promise<string[]> {
    const isShortened = view.items.some(({ form }) => form !== 'whole');
    if (view.tag !== null || asOf !== undefined || !isShortened) return [];
    const note = await this.summaries.find({ workspace: principal.workspace, contextId });
    return note === undefined ? [] : [note];
  }
}

@QueryHandler(FindViewItemQuery)
export class FindViewItemHandler implements IQueryHandler<FindViewItemQuery> {
  constructor(private readonly expansion: ViewExpansion) {}

  execute({ request }: FindViewItemQuery) {
    const principal = readingAs(request.principal, request.agent);
    return this.expansion.expand({ ...request, principal });
  }
}
