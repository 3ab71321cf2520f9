import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { DocumentChanges } from './document-changes.js';
import { ReplaceDocumentCommand } from './replace-document.command.js';
import { type WriteAnswer, WriteContextCommand } from './write-context.command.js';

/** The seeds' UpdateContext: what the sent document changes, as the events that say so. */
@CommandHandler(ReplaceDocumentCommand)
export class ReplaceDocumentHandler implements ICommandHandler<ReplaceDocumentCommand> {
  constructor(
    private readonly changes: DocumentChanges,
    private readonly commands: CommandBus,
  ) {}

  async execute({ request: { document, ...write } }: ReplaceDocumentCommand): Promise<WriteAnswer> {
    const plan = await this.changes.find({ document, ...write });
    return this.commands.execute(
      new WriteContextCommand({ ...write, ...plan, allOrNothing: true }),
    );
  }
}
