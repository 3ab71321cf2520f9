import { Command, Query } from '@nestjs/cqrs';

import { type TransformationDefinition } from '#transformations';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../paging/page.js';

/** The newest version of a transformation, and its author. */
export type TransformationView = TransformationDefinition &
  Readonly<{ transformationId: string; version: number; changedAt: string; changedBy: string }>;

export class ListTransformationsQuery extends Query<Page<TransformationView>> {
  constructor(
    readonly principal: Principal,
    readonly page: PageRequest,
  ) {
    super();
  }
}

export class FindTransformationQuery extends Query<TransformationView> {
  constructor(
    readonly principal: Principal,
    readonly transformationId: string,
  ) {
    super();
  }
}

/** `stored`: false if the transformation already had this definition. */
export class PutTransformationCommand extends Command<
  Readonly<{ view: TransformationView; stored: boolean }>
> {
  constructor(
    readonly principal: Principal,
    readonly transformationId: string,
    readonly definition: TransformationDefinition,
  ) {
    super();
  }
}
