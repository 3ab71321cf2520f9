import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { v7 } from 'uuid';

import { differences } from '#shared-context';

import { documentOf } from '../reading/context.handlers.js';
import { ReachableContext } from '../reading/reachable-context.js';
import { ReplaceDocumentCommand } from './replace-document.command.js';
import { type WriteAnswer, WriteContextCommand } from './write-context.command.js';

/** The seeds' UpdateContext: what the sent document changes, as the events that say so. */
@CommandHandler(ReplaceDocumentCommand)
export class ReplaceDocumentHandler implements ICommandHandler<ReplaceDocumentCommand> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly commands: CommandBus,
  ) {}

  async execute({
    request: { document, ...request },
  }: ReplaceDocumentCommand): Promise<WriteAnswer> {
    const { ifMatch } = request;
    const current = await this.contexts.read(request, 'document');
    // A repeated request differs from what it made itself: the writer answers it by its key, or refuses the version.
    const commands =
      current.head.version === ifMatch ? differences(documentOf(current), document, v7) : [];
    return this.commands.execute(new WriteContextCommand({ ...request, commands, ifMatch }));
  }
}
