import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import {
  type ContinuedLoop,
  type ContextHead,
  InsideAppendError,
  RuleViolationError,
  VersionAheadError,
  continuedLoops,
  findCheckpoint,
  namedKey,
} from '#shared-context';

import { requireCreatable, requireFullVisibility } from '../access/reach.js';
import { ConflictPauses } from '../writing/conflict-pauses.js';
import { ConditionFailedError } from '../errors.js';
import { findAppendAround } from '../reading/inside-append.js';
import {
  AuthorizedContextReader,
  type AuthorizedSnapshot,
} from '../reading/authorized-context-reader.js';
import { type WriteAnswer } from '../writing/write-context.command.js';
import { WriteService } from '../writing/write.service.js';
import { refuseNesting } from './nesting.js';
import { ForkContextCommand, type ForkRequest } from './lineage.messages.js';

/** Forks a context. The source is only read and may be closed; the fork is written like any new context. */
@CommandHandler(ForkContextCommand)
export class ForkContextHandler implements ICommandHandler<ForkContextCommand> {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly pauses: ConflictPauses,
    private readonly writes: WriteService,
  ) {}

  async execute({ request }: ForkContextCommand): Promise<WriteAnswer> {
    const { contextId, atVersion, checkpoint, forkId, ...facts } = request;
    const keys = checkpoint === undefined ? [] : [namedKey(checkpoint)];
    const source = await this.contexts.read(request, { keys, bodies: false });
    // A key must reach the context that it creates; the fork inherits workflow and parent.
    requireCreatable(request.principal, { ...source.head, contextId: forkId });
    const { version, inside } = await this.#target(source, { atVersion, checkpoint });
    const refusal = (await this.#refusal(source, request, version)) ?? inside;
    const data = { source: { contextId, version: version ?? source.head.version } };
    const carried = refusal ? [] : await this.#countsSince(source.head, data.source.version);
    return this.writes.write({
      ...facts,
      contextId: forkId,
      ifMatch: undefined,
      commands: [{ type: 'ForkContext', data, carried }],
      refusal,
    });
  }

  /** A checkpoint inside an append means the end of that append; an explicit version inside an append is refused. */
  async #target({ head, state }: AuthorizedSnapshot, { atVersion, checkpoint }: ForkTarget) {
    const named = atVersion ?? findCheckpoint(checkpoint ?? '', state.lookup);
    if (named === undefined || named >= head.version) return { version: named };
    const append = await findAppendAround(this.contexts.reader, head, named);
    if (!append) return { version: named };
    return atVersion === undefined
      ? { version: append.end }
      : { version: named, inside: new InsideAppendError(named, append) };
  }

  /** A fork continues with the current loop counts of its source, regardless of the version at which it starts. */
  async #countsSince(head: ContextHead, version: number): Promise<readonly ContinuedLoop[]> {
    if (version === head.version) return [];
    const [now, then] = await Promise.all(
      [head.version, version].map((at) =>
        this.contexts.reader.readAt(head, at, { kinds: ['loop'] }),
      ),
    );
    return continuedLoops(now?.state.values() ?? [], then?.state.values() ?? []);
  }

  async #refusal(
    { head }: AuthorizedSnapshot,
    { principal, ifMatch, atVersion }: ForkRequest,
    version: number | undefined,
  ) {
    if (ifMatch !== undefined && ifMatch !== head.version)
      return new ConditionFailedError(
        ifMatch,
        head.version,
        { events: [], truncated: true },
        this.pauses.next(head),
      );
    if (version === undefined)
      return new RuleViolationError(
        '/checkpoint',
        'names no checkpoint of this context: send the name of one, or a version',
      );
    if (version > head.version) return new VersionAheadError('atVersion', version, head.version);
    // An earlier version may contain live items that the current policy of the audience hides.
    if (version < head.version) requireFullVisibility(principal);
    const pointer = atVersion === undefined ? '/checkpoint' : '/atVersion';
    return refuseNesting(this.contexts.reader, head, { version, pointer });
  }
}

type ForkTarget = Pick<ForkRequest, 'atVersion' | 'checkpoint'>;
