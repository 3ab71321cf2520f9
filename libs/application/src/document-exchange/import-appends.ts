import { Injectable } from '@nestjs/common';

import { ContextReader, sha256 } from '#read-models';
import { type ContextId, type DecodedEvent, type SourcePart, touchedKeys } from '#shared-context';

import { ConditionFailedError } from '../errors.js';
import { type CheckedWrites, WriteCheck } from '../writing/write-check.js';
import { type WriteAnswer, type WriteRequest } from '../writing/write-context.command.js';
import { WritePreparation } from '../writing/write-preparation.js';
import { WriteService } from '../writing/write.service.js';
import { type ImportCommand, batchesOf, commandOfSource } from './import-batches.js';
import { type DocumentsToImport } from './document-exchange.messages.js';
import { type PlannedImport } from './planned-import.js';
import { reportInDocument } from './placed-in-document.js';

/** `before`: the version of the context on which the import was planned, 0 if it does not exist. */
type Target = Readonly<{
  request: Pick<DocumentsToImport, 'principal' | 'dryRun'> & Readonly<{ contextId: string }>;
  before: number;
}>;

const maxTries = 5;
const pageSize = 200;
const nothing = { keys: [], bodies: false };

/** Stores a planned import in as many appends as necessary. */
@Injectable()
export class ImportAppends {
  constructor(
    private readonly reader: ContextReader,
    private readonly preparation: WritePreparation,
    private readonly checks: WriteCheck,
    private readonly writes: WriteService,
  ) {}

  /** A single append is atomic; several are all decided before the first of them is stored. */
  async carryOut(plan: PlannedImport, target: Target): Promise<CheckedWrites> {
    const sources = plan.parts.map((part, at) => ({
      ...plan.importer,
      index: plan.commands.length + at,
      command: commandOfSource(part),
    }));
    const commands = [...plan.commands, ...sources];
    return reportInDocument(commands, async () => {
      const { request, before } = target;
      const exists = before > 0;
      const requests = batchesOf(commands, { exists }).map((batch) =>
        requestOf(plan, target, batch),
      );
      const [single, second] = requests.filter((write) => write.commands.length > 0);
      if (!second && !request.dryRun)
        return single ? resultOf(await this.writes.write(single), before) : unchanged(before);
      const prepared = await Array.fromAsync(requests, (write) => this.preparation.prepare(write));
      const checked = await this.checks.check(prepared);
      if (!request.dryRun) await this.#append(plan, target, sources);
      return checked;
    });
  }

  async #append(
    plan: PlannedImport,
    target: Target,
    sources: readonly ImportCommand[],
  ): Promise<void> {
    const own = new Set<number>();
    const note = ({ events }: WriteAnswer) => events.forEach(({ version }) => own.add(version));
    for (const batch of batchesOf(plan.commands, { exists: target.before > 0 }))
      if (batch.length > 0) note(await this.writes.write(requestOf(plan, target, batch)));
    for (const batch of batchesOf(sources, { exists: false }))
      note(await this.#appendSources(plan, target, { batch, own }));
  }

  /**
   * Other writers may have changed items since the import began; the source must not claim to agree with these changes.
   */
  async #appendSources(
    plan: PlannedImport,
    target: Target,
    { batch, own }: Readonly<{ batch: readonly ImportCommand[]; own: ReadonlySet<number> }>,
  ): Promise<WriteAnswer> {
    const { principal, contextId } = target.request;
    const id = { workspace: principal.workspace, contextId };
    for (let tries = 1; ; tries++) {
      const { head } = await this.reader.read(id, nothing);
      const version = head?.version ?? 0;
      const changed = await this.#changedByOthers(id, { own, before: target.before, version });
      const write = requestOf(
        plan,
        target,
        batch.map((command) => withAgreement(command, changed)),
      );
      try {
        return await this.writes.write({ ...write, ifMatch: version });
      } catch (error) {
        if (!(error instanceof ConditionFailedError) || tries === maxTries) throw error;
      }
    }
  }

  /**
   * The items that events of other writers have touched since the import began, with the version before the first such
   * event.
   */
  async #changedByOthers(
    id: ContextId,
    {
      own,
      before,
      version,
    }: Readonly<{ own: ReadonlySet<number>; before: number; version: number }>,
  ): Promise<ReadonlyMap<string, number>> {
    const changed = new Map<string, number>();
    const first = Math.min(before + 1, ...own.values().take(1));
    if (version - first + 1 === own.size) return changed;
    for (let from = first; from <= version; from += pageSize)
      for (const event of await this.reader.events(id, from, pageSize))
        if (!own.has(event.version) && event.version <= version) noteTouched(event, changed);
    return changed;
  }
}

function noteTouched(event: DecodedEvent, changed: Map<string, number>): void {
  for (const { kind, key } of touchedKeys(event)) {
    const item = `${kind}:${key}`;
    if (!changed.has(item)) changed.set(item, event.version - 1);
  }
}

function withAgreement(
  command: ImportCommand,
  changed: ReadonlyMap<string, number>,
): ImportCommand {
  if (command.command.type !== 'ImportSource' || changed.size === 0) return command;
  const { data } = command.command;
  const pieces = data.pieces.map((piece) => withPieceAgreement(piece, changed));
  return { ...command, command: { type: 'ImportSource', data: { ...data, pieces } } };
}

function withPieceAgreement(
  piece: SourcePart['pieces'][number],
  changed: ReadonlyMap<string, number>,
): SourcePart['pieces'][number] {
  const versions = (piece.items ?? []).flatMap((item) => changed.get(item) ?? []);
  if (versions.length === 0) return piece;
  return { ...piece, agreedAt: Math.min(piece.agreedAt ?? Infinity, ...versions) };
}

/** The idempotency key of an append depends on its content, so that different content is a different append. */
function requestOf(
  { key }: PlannedImport,
  { request: { principal, contextId } }: Target,
  batch: readonly ImportCommand[],
): WriteRequest {
  const own = batch.filter(({ command }) => command.type !== 'CreateContext');
  const content = JSON.stringify(own.map(({ command: { type, data } }) => [type, data]));
  const appendKey = `${key} ${own[0]?.index ?? 0} ${sha256(content)}`;
  return {
    principal,
    contextId,
    commands: batch.map(({ command }) => command),
    claims: batch.map(({ claim }) => claim),
    places: batch.map(({ index }) => ({ at: `/commands/${index}` })),
    allOrNothing: true,
    idempotency: {
      key: appendKey,
      method: 'POST',
      body: appendKey,
      path: `/v1/imports ${contextId}`,
    },
  };
}

/** Events up to the version before the import were stored by an earlier attempt of the same import. */
function resultOf({ events, version }: WriteAnswer, before: number): CheckedWrites {
  const added = events.filter((event) => event.version > before);
  return { types: added.map(({ type }) => type), stored: events.length - added.length, version };
}

function unchanged(version: number): CheckedWrites {
  return { types: [], stored: 0, version };
}
