import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { DocumentChanges } from './document-changes.js';
import { ReplaceDocumentCommand } from './replace-document.command.js';
import { type WriteAnswer } from './write-context.command.js';
import { WriteService } from './write.service.js';

/** Converts the changes of the sent document to commands and writes them. */
@CommandHandler(ReplaceDocumentCommand)
export class ReplaceDocumentHandler implements ICommandHandler<ReplaceDocumentCommand> {
  constructor(
    private readonly changes: DocumentChanges,
    private readonly writes: WriteService,
  ) {}

  async execute({ request: { document, ...write } }: ReplaceDocumentCommand): Promise<WriteAnswer> {
    const plan = await this.changes.find({ document, ...write });
    return this.writes.write({ ...write, ...plan, allOrNothing: true });
  }
}
