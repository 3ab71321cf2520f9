import { Command } from '@nestjs/cqrs';

import { type JsonObject } from '#event-sourcing';

import { type WriteAnswer, type WriteRequest } from './write-context.command.js';

/** Replaces a document: stores the difference between the document at `ifMatch` and the sent one as ordinary events. */
export class ReplaceDocumentCommand extends Command<WriteAnswer> {
  constructor(
    readonly request: Omit<WriteRequest, 'commands' | 'ifMatch'> &
      Readonly<{ ifMatch: number; document: JsonObject }>,
  ) {
    super();
  }
}
