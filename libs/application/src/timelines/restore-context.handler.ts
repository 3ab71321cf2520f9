import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { findCheckpoint, namedKey } from '#shared-context';

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
    return head && named !== undefined ? refuseDeeper(reader, head, named, '') : undefined;
  }
}
