import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { type ContextId } from '#read-models';
import { TrippedBreakerError, findCheckpoint, loopFacts, namedKey } from '#shared-context';

import { ReachableContext, readable } from '../reading/reachable-context.js';
import { type WriteAnswer, WriteContextCommand } from '../writing/write-context.command.js';
import { refuseDeeper } from './nesting.js';
import { RestoreContextCommand, type RestoreRequest } from './timeline.messages.js';

/** Everything but the bound of nesting is decided with the write itself, reach included. */
@CommandHandler(RestoreContextCommand)
export class RestoreContextHandler implements ICommandHandler<RestoreContextCommand> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly commands: CommandBus,
  ) {}

  async execute({ request }: RestoreContextCommand): Promise<WriteAnswer> {
    const { version, checkpoint, ...facts } = request;
    const refusal = await readable(() => this.#refusal(request));
    const data = { version, checkpoint };
    return this.commands.execute(
      new WriteContextCommand({ ...facts, commands: [{ type: 'RestoreContext', data }], refusal }),
    );
  }

  async #refusal({ principal, contextId, version, checkpoint }: RestoreRequest) {
    const { reader } = this.contexts;
    const keys = checkpoint === undefined ? [] : [namedKey(checkpoint)];
    const id = { workspace: principal.workspace, contextId };
    const { head, state } = await reader.read(id, { keys, bodies: false });
    const named = checkpoint === undefined ? version : findCheckpoint(checkpoint, state.lookup);
    if (!head || named === undefined) return undefined;
    const refusal = await refuseDeeper(reader, head, { version: named, pointer: '' });
    return refusal ?? (principal.role === 'agent' ? this.#refuseReset(id) : undefined);
  }

  /** An agent that could go back would let its own loops run again. */
  async #refuseReset(id: ContextId): Promise<TrippedBreakerError | undefined> {
    const { state } = await this.contexts.reader.read(id, { kinds: ['loop'] });
    const tripped = [...state.values()].find((loop) => loopFacts(loop).tripped);
    return tripped && new TrippedBreakerError(tripped.key);
  }
}
