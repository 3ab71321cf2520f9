import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { v7 } from 'uuid';

import { type JsonObject } from '#event-sourcing';
import { wholeDocument } from '#read-models';
import { type ContextCommand, differences } from '#shared-context';
import { runInSlices } from '#slices';

import { type Principal } from '../access/principal.js';
import { Families } from '../families/families.js';
import { Documents } from '../reading/documents.js';
import { ReachableContext, type ReachableSnapshot } from '../reading/reachable-context.js';
import { ReplaceDocumentCommand } from './replace-document.command.js';
import {
  type WriteAnswer,
  WriteContextCommand,
  type WriteRequest,
} from './write-context.command.js';

/** The seeds' UpdateContext: what the sent document changes, as the events that say so. */
@CommandHandler(ReplaceDocumentCommand)
export class ReplaceDocumentHandler implements ICommandHandler<ReplaceDocumentCommand> {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly documents: Documents,
    private readonly families: Families,
    private readonly commands: CommandBus,
  ) {}

  async execute({
    request: { document, ...request },
  }: ReplaceDocumentCommand): Promise<WriteAnswer> {
    const { ifMatch } = request;
    const current = await this.contexts.read(request, wholeDocument);
    // A repeated request differs from what it made itself: the writer answers it by its key, or refuses the version.
    const plan =
      current.head.version === ifMatch
        ? await planOf(await this.#documentOf(current, request.principal), document)
        : {};
    return this.commands.execute(
      new WriteContextCommand({ ...request, commands: [touch], ...plan, ifMatch }),
    );
  }

  async #documentOf(current: ReachableSnapshot, principal: Principal): Promise<JsonObject> {
    return this.documents.render(current, await this.families.of(current, { principal }));
  }
}

/** Says nothing, but not to a closed context: every replacement is a write. */
const touch: ContextCommand = { type: 'SetPreferences', data: { values: {} } };

/** What cannot be said is refused in its turn: behind idempotency, condition and state. */
async function planOf(
  current: JsonObject,
  document: JsonObject,
): Promise<Pick<WriteRequest, 'commands' | 'refusal'>> {
  try {
    const commands = await runInSlices(differences(current, document, v7));
    return { commands: [touch, ...commands] };
  } catch (refusal) {
    return { commands: [touch], refusal };
  }
}
