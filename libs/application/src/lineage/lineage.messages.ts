import { Command, Query } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';

import { type SnapshotTag } from '../reading/snapshot-tag.js';
import { type Page, type PageRequest } from '../paging/page.js';
import { type Principal } from '../access/principal.js';
import { type WriteAnswer, type WriteRequest } from '../writing/write-context.command.js';

type BaseRequest = Omit<WriteRequest, 'commands' | 'batch' | 'refusal'>;

/**
 * Either `atVersion` or `checkpoint`. `ifMatch` is a condition on the source, which is `contextId`; `forkId` is the new
 * context.
 */
export type ForkRequest = BaseRequest &
  Readonly<{
    atVersion?: number | undefined;
    checkpoint?: string | undefined;
    forkId: string;
  }>;

/** Either `version` or `checkpoint`. */
export type RestoreRequest = BaseRequest &
  Readonly<{
    version?: number | undefined;
    checkpoint?: string | undefined;
    /** Cancels an active run first. */
    cancelRun?: boolean | undefined;
  }>;

/** Creates a context from another one at a version; the answer is that of its creation. */
export class ForkContextCommand extends Command<WriteAnswer> {
  constructor(readonly request: ForkRequest) {
    super();
  }
}

/** Restores the state of the context at a version. */
export class RestoreContextCommand extends Command<WriteAnswer> {
  constructor(readonly request: RestoreRequest) {
    super();
  }
}

/** Lists the named versions, in the order in which they were named. */
export class ListCheckpointsQuery extends Query<
  SnapshotTag & Readonly<{ page: Page<JsonObject> }>
> {
  constructor(
    readonly request: PageRequest &
      Readonly<{ principal: Principal; contextId: string; audience?: string | undefined }>,
  ) {
    super();
  }
}
