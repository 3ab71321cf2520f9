import { type ContextCommand, type SourcePart, commandFromEvent } from '#shared-context';
import { type DocumentPlace, type PlannedEvent } from '#interop';

import { newId } from '../new-id.js';
import { type ImportedClaim } from '../writing/write-context.command.js';

/** Bytes of payloads, and events, that one append of an import holds at most: an append may have a mebibyte. */
const maxBytes = 400_000;
const maxEvents = 400;

/** A command of an import, whose work it is said to be, and the place in the document that it comes from. */
export type ImportCommand = Readonly<{
  /** Among all commands of the import, from 0. */
  index: number;
  command: ContextCommand;
  claim: ImportedClaim;
  place: DocumentPlace;
}>;

export function commandOf({ event }: PlannedEvent): ContextCommand {
  if (event.type === 'BaselineImported') return { type: 'ImportBaseline', data: event.data };
  const command = commandFromEvent(event, newId);
  if (command.type === 'PlanTask') return { ...command, isRevision: true };
  return command.type === 'RecordDecision' ? { ...command, isImported: true } : command;
}

export function commandOfSource(data: SourcePart): ContextCommand {
  return { type: 'ImportSource', data };
}

/**
 * In as many appends as it takes; the same commands are always divided in the same way. If the context exists, its creation, which
 * is the first command, is left out of the first append. The others stay as they are, so that an import that broke off goes on with
 * the next one.
 */
export function batchesOf(
  commands: readonly ImportCommand[],
  { exists }: Readonly<{ exists: boolean }>,
): readonly ImportCommand[][] {
  const batches = divide(commands);
  return exists ? batches.map((batch, at) => (at === 0 ? batch.slice(1) : batch)) : batches;
}

function divide(commands: readonly ImportCommand[]): ImportCommand[][] {
  const batches: ImportCommand[][] = [];
  let bytes = Infinity;
  for (const command of commands) {
    const own = Buffer.byteLength(JSON.stringify(command.command.data));
    const batch = batches.at(-1);
    if (batch && bytes + own <= maxBytes && batch.length < maxEvents) {
      batch.push(command);
      bytes += own;
    } else {
      batches.push([command]);
      bytes = own;
    }
  }
  return batches;
}
