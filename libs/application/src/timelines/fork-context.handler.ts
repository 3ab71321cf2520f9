import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { RuleViolationError, VersionAheadError, findCheckpoint, namedKey } from '#shared-context';

import { requireReach, requireWholeSight } from '../access/authorize.js';
import { ConditionFailedError } from '../errors.js';
import { ReachableContext, type ReachableSnapshot } from '../reading/reachable-context.js';
import { type WriteAnswer, WriteContextCommand } from '../writing/write-context.command.js';
import { refuseDeeper } from './nesting.js';
import { ForkContextCommand, type ForkRequest } from './timeline.messages.js';

/** The source is only read, and may be closed; the fork is written like any new context. */
@CommandHandler(ForkContextCommand)
export class ForkContextHandler implements ICommandHandler<ForkContextCommand> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly commands: CommandBus,
  ) {}

  async execute({ request }: ForkContextCommand): Promise<WriteAnswer> {
    const { contextId, atVersion, checkpoint, forkId, ...facts } = request;
    const keys = checkpoint === undefined ? [] : [namedKey(checkpoint)];
    const source = await this.contexts.read(request, { keys, bodies: false });
    // A key makes no context that it could not reach then; its workflow and parent are those of the source.
    requireReach(request.principal, { ...source.head, contextId: forkId });
    const version = atVersion ?? findCheckpoint(checkpoint ?? '', source.state.lookup);
    const data = { source: { contextId, version: version ?? source.head.version } };
    return this.commands.execute(
      new WriteContextCommand({
        ...facts,
        contextId: forkId,
        ifMatch: undefined,
        commands: [{ type: 'ForkContext', data }],
        refusal: await this.#refusal(source, request, version),
      }),
    );
  }

  async #refusal(
    { head }: ReachableSnapshot,
    { principal, ifMatch, atVersion }: ForkRequest,
    version: number | undefined,
  ) {
    if (ifMatch !== undefined && ifMatch !== head.version)
      return new ConditionFailedError(ifMatch, head.version, { events: [], truncated: true });
    if (version === undefined)
      return new RuleViolationError('/checkpoint', 'names no checkpoint of this context');
    if (version > head.version) return new VersionAheadError('atVersion', version, head.version);
    // As of then more may be in force than what its audience sees now.
    if (version < head.version) requireWholeSight(principal);
    const pointer = atVersion === undefined ? '/checkpoint' : '/atVersion';
    return refuseDeeper(this.contexts.reader, head, { version, pointer });
  }
}
