import { Injectable } from '@nestjs/common';

import { type JsonObject } from '#event-sourcing';
import { type ContextCommand, differences, documentMembers } from '#shared-context';
import { runInSlices } from '#slices';

import { ContextHierarchy } from '../families/context-hierarchy.js';
import { newId } from '../new-id.js';
import { documentSelection, hasFamily } from '../reading/document-members.js';
import { Documents } from '../reading/documents.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { withoutMarks } from '../transformations/mark-derived.js';
import { type ReplaceDocumentCommand } from './replace-document.command.js';
import { type WriteRequest } from './write-context.command.js';

type Plan = Pick<WriteRequest, 'commands' | 'places' | 'refusal'>;

/** A command without effect, so that a replacement without changes still fails on a closed context. */
const touch: ContextCommand = { type: 'SetPreferences', data: { values: {} } };

/** Converts the changes of a sent document to commands. Members that it omits remain unchanged and are not read. */
@Injectable()
export class DocumentChanges {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly documents: Documents,
    private readonly families: ContextHierarchy,
  ) {}

  async find({ document, ...request }: ReplaceDocumentCommand['request']): Promise<Plan> {
    // Unknown members are refused later, with their names.
    const members = Object.keys(document).filter((name) => documentMembers.includes(name));
    const snapshot = await this.contexts.read(request, (filter) =>
      documentSelection(members, filter),
    );
    // A repeated request differs from the state that it created: the command processor answers it by its key, or
    // refuses its version.
    if (snapshot.head.version !== request.ifMatch) return { commands: [touch] };
    const { principal } = request;
    const family = hasFamily(members) ? await this.families.of(snapshot, { principal }) : undefined;
    const current = await this.documents.render(snapshot, family, members);
    return planOf(withoutMarks(current), withoutMarks(document));
  }
}

/** Changes that no command can express are refused after the checks of idempotency, condition and state. */
async function planOf(current: JsonObject, document: JsonObject): Promise<Plan> {
  try {
    const changes = await runInSlices(differences(current, document, newId));
    return {
      commands: [touch, ...changes.map(({ command }) => command)],
      places: [undefined, ...changes],
    };
  } catch (refusal) {
    return { commands: [touch], refusal };
  }
}
