import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import {
  type ContextHead,
  type ContextId,
  type RestoreContext,
  CheckpointMovedError,
  ContextNotFoundError,
  TrippedBreakerError,
  VersionAheadError,
  findCheckpoint,
  loopFacts,
  namedKey,
} from '#shared-context';

import { type Principal } from '../access/principal.js';
import { findAppendAround } from '../reading/inside-append.js';
import { AuthorizedContextReader, readable } from '../reading/authorized-context-reader.js';
import { type WriteAnswer } from '../writing/write-context.command.js';
import { RunCancellation } from '../runs/run-cancellation.js';
import { WriteService } from '../writing/write.service.js';
import { refuseNesting } from './nesting.js';
import { RestoreContextCommand, type RestoreRequest } from './lineage.messages.js';

/** The maximum number of lookups of a checkpoint for one restore. */
const maxTries = 4;

/**
 * Restores a context. All checks except the limit of nesting and tripped breakers are part of the decision of the
 * write, including access.
 */
@CommandHandler(RestoreContextCommand)
export class RestoreContextHandler implements ICommandHandler<RestoreContextCommand> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly writes: WriteService,
    private readonly cancellation: RunCancellation,
  ) {}

  /** A checkpoint may move between its lookup and the write: then everything is looked up again. */
  async execute({ request }: RestoreContextCommand): Promise<WriteAnswer> {
    for (let tries = 1; ; tries++)
      try {
        return await this.#restore(request);
      } catch (error) {
        if (!(error instanceof CheckpointMovedError) || tries === maxTries) throw error;
      }
  }

  async #restore(request: RestoreRequest): Promise<WriteAnswer> {
    const { version, checkpoint, cancelRun, ...facts } = request;
    const { refusal, ...found } = await readable(() => this.#find(request));
    const command = { type: 'RestoreContext', data: { version, checkpoint }, ...found } as const;
    const before = cancelRun
      ? await this.cancellation.commandsFor(
          request.principal,
          request.contextId,
          'the context is restored',
        )
      : [];
    return this.writes.write({ ...facts, commands: [...before, command], refusal });
  }

  /** Returns the refusal, or the loops as they were at the restored version. */
  async #find(request: RestoreRequest): Promise<RestoreSource> {
    const { reader } = this.contexts;
    const { principal, contextId, checkpoint } = request;
    const keys = checkpoint === undefined ? [] : [namedKey(checkpoint)];
    const id = { workspace: principal.workspace, contextId };
    const { head, state } = await reader.read(id, { keys, bodies: false });
    const named =
      checkpoint === undefined ? request.version : findCheckpoint(checkpoint, state.lookup);
    // A context that is created meanwhile has no version that the caller can mean.
    if (!head) return { refusal: new ContextNotFoundError() };
    if (named === undefined) return {};
    return { ...(await this.#findAt(request, head, named)), resolved: named };
  }

  async #findAt(
    { principal }: RestoreRequest,
    head: ContextHead,
    named: number,
  ): Promise<RestoreSource> {
    const { reader } = this.contexts;
    // A version that is written meanwhile cannot be one that the caller means.
    if (named > head.version)
      return { refusal: new VersionAheadError('version', named, head.version) };
    const append = await findAppendAround(reader, head, named);
    const version = append?.end ?? named;
    const refusal =
      (await refuseNesting(reader, head, { version, pointer: '' })) ??
      (await this.#refuseWhileTripped(principal, head));
    if (refusal) return { refusal };
    return { base: await this.#loopsAt(head, version), append };
  }

  async #loopsAt(id: ContextId, version: number): Promise<RestoreContext['base']> {
    const { state } = await this.contexts.reader.readAt(id, version, { kinds: ['loop'] });
    return { version, loops: [...state.values()] };
  }

  /** After a breaker has tripped, a person must review the attempts before they are undone. */
  async #refuseWhileTripped(
    { role }: Principal,
    id: ContextId,
  ): Promise<TrippedBreakerError | undefined> {
    if (role !== 'agent') return undefined;
    const { state } = await this.contexts.reader.read(id, { kinds: ['loop'] });
    const tripped = [...state.values()].find((loop) => loopFacts(loop).tripped);
    return tripped && new TrippedBreakerError(tripped.key);
  }
}

type RestoreSource = Readonly<{ refusal?: Error }> &
  Pick<RestoreContext, 'base' | 'resolved' | 'append'>;
