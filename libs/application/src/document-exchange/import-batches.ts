import { type ContextCommand, type SourcePart, commandFromEvent } from '#shared-context';
import { type DocumentPlace, type PlannedEvent } from '#interop';

import { newId } from '../new-id.js';
import { type ImportedClaim } from '../writing/write-context.command.js';

/** The limits of payload bytes and events for one append of an import; the limit of an append is a mebibyte. */
const maxBytes = 400_000;
const maxEvents = 400;

/** A command of an import, its claimed author and time, and its position in the document. */
export type ImportCommand = Readonly<{
  /** The index among all commands of the import, from 0. */
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
 * Divides commands into appends; the same commands are always divided in the same way. If the context exists, its
 * creation, which is the first command, is omitted from the first append. The other appends do not change, so that an
 * interrupted import continues with the next one.
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
