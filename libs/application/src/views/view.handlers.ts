import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';

import { FindViewItemQuery, FindViewQuery } from './view.messages.js';
import { ViewExpansion } from './view-expansion.js';
import { Views } from './views.js';

@QueryHandler(FindViewQuery)
export class FindViewHandler implements IQueryHandler<FindViewQuery> {
  constructor(private readonly views: Views) {}

  execute({ request }: FindViewQuery) {
    return this.views.render(request);
  }
}

@QueryHandler(FindViewItemQuery)
export class FindViewItemHandler implements IQueryHandler<FindViewItemQuery> {
  constructor(private readonly expansion: ViewExpansion) {}

  execute({ request }: FindViewItemQuery) {
    return this.expansion.expand(request);
  }
}
