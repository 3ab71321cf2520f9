import { Command, Query } from '@nestjs/cqrs';

import { type TransformationDefinition } from '#transformations';

import { type Principal } from '../access/principal.js';
import { type Page, type PageRequest } from '../reading/context.queries.js';
import { type WriteAnswer, type WriteRequest } from '../writing/write-context.command.js';

/** A transformation as it stands, and who made it so. */
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

/** `stored` is false if it stood so already. */
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

/** Derives what a transformation would have derived, had it been stored before the context was written. */
export class DeriveNowCommand extends Command<WriteAnswer> {
  constructor(
    readonly request: Omit<WriteRequest, 'commands' | 'batch' | 'refusal' | 'derive'> &
      Readonly<{ transformationId: string }>,
  ) {
    super();
  }
}
