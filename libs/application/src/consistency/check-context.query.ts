import { Query } from '@nestjs/cqrs';

import { type JsonValue } from '#event-sourcing';
import { type ConsistencyReport } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { type AsOf, type SnapshotTag } from '../reading/snapshot-tag.js';

/** Checks the consistency of a context as its reader sees it. */
export class CheckContextQuery extends Query<
  SnapshotTag & Readonly<{ outcome: JsonValue; report: ConsistencyReport }>
> {
  constructor(
    readonly request: Readonly<{
      principal: Principal;
      contextId: string;
      /** Members of the document that must not be empty. */
      require?: readonly string[] | undefined;
      asOf?: AsOf;
      audience?: string | undefined;
      signal?: AbortSignal | undefined;
    }>,
  ) {
    super();
  }
}
