import { Command, Query } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';

import { type SnapshotTag } from '../reading/snapshot-tag.js';
import { type Page, type PageRequest } from '../paging/page.js';
import { type Principal } from '../access/principal.js';
import { type WriteAnswer, type WriteRequest } from '../writing/write-context.command.js';

type Facts = Omit<WriteRequest, 'commands' | 'batch' | 'refusal'>;

/** Either `atVersion` or `checkpoint`. `ifMatch` is about the source, which `contextId` names; `forkId` names the new context. */
export type ForkRequest = Facts &
  Readonly<{
    atVersion?: number | undefined;
    checkpoint?: string | undefined;
    forkId: string;
  }>;

/** Either `version` or `checkpoint`. */
export type RestoreRequest = Facts &
  Readonly<{
    version?: number | undefined;
    checkpoint?: string | undefined;
    /** Cancels an active run first. */
    cancelRun?: boolean | undefined;
  }>;

/** Starts a context from what another one held at a version; answers as its creation. */
export class ForkContextCommand extends Command<WriteAnswer> {
  constructor(readonly request: ForkRequest) {
    super();
  }
}

/** Puts back what the context held at a version. */
export class RestoreContextCommand extends Command<WriteAnswer> {
  constructor(readonly request: RestoreRequest) {
    super();
  }
}

/** Named versions, in the order they were named. */
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
