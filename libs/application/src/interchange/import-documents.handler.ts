import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { ContextReader, sha256 } from '#read-models';

import { reaches, requireImporter } from '../access/authorize.js';
import { WRITER_OPTIONS } from '../tokens.js';
import { type CheckedWrites, WriteCheck } from '../writing/write-check.js';
import { type WriteAnswer, type WriteRequest } from '../writing/write-context.command.js';
import { type ContextWriterOptions } from '../writing/context-writer.js';
import { WritePreparation } from '../writing/write-preparation.js';
import { WriteService } from '../writing/write.service.js';
import { type KnownSources, findSources } from './earlier-import.js';
import { type ImportCommand, batchesOf } from './import-batches.js';
import {
  type DocumentsImported,
  type DocumentsToImport,
  ImportDocumentsCommand,
} from './interchange.messages.js';
import { PastDocuments } from './past-documents.js';
import { placedInDocument } from './placed-in-document.js';
import { isImported, planImportOf, readDocuments } from './planned-import.js';
import { RegisteredDefinitions } from './registered-definitions.js';

/**
 * Takes documents in: everything is decided before the first append. A large import takes several; if it breaks off, the same
 * import goes on behind what is stored.
 */
@CommandHandler(ImportDocumentsCommand)
export class ImportDocumentsHandler implements ICommandHandler<ImportDocumentsCommand> {
  // oxlint-disable-next-line eslint/max-params -- an import reads, checks, writes and registers
  constructor(
    private readonly reader: ContextReader,
    private readonly preparation: WritePreparation,
    private readonly checks: WriteCheck,
    private readonly writes: WriteService,
    private readonly past: PastDocuments,
    private readonly definitions: RegisteredDefinitions,
    @Inject(WRITER_OPTIONS) private readonly options: Pick<ContextWriterOptions, 'now'>,
  ) {}

  async execute({ request }: ImportDocumentsCommand): Promise<DocumentsImported> {
    const { principal, register, dryRun } = request;
    requireImporter(principal);
    const reading = readDocuments(request);
    const contextId = request.as ?? reading.contextId;
    const known = await this.#find(request, contextId);
    const registrations = register ? reading.registrations : undefined;
    if (registrations) this.definitions.check(principal, registrations);
    const registered = this.definitions.namesOf(registrations);
    const imported = isImported(request, known)
      ? nothing(known)
      : await this.#import({ ...request, contextId }, { known, reading });
    if (registrations && !dryRun) await this.definitions.register(principal, registrations);
    return { contextId, ...imported, registered };
  }

  /** A context out of reach is not found here, and creating it is refused. */
  async #find({ principal, format }: DocumentsToImport, contextId: string): Promise<KnownSources> {
    const id = { workspace: principal.workspace, contextId };
    const known = await findSources(this.reader, id, format);
    if (!known.head || reaches(principal, known.head)) return known;
    return { ...known, head: undefined, sources: [] };
  }

  async #import(
    request: DocumentsToImport & Readonly<{ contextId: string }>,
    site: Readonly<{ known: KnownSources; reading: ReturnType<typeof readDocuments> }>,
  ): Promise<Omit<DocumentsImported, 'contextId' | 'registered'>> {
    const changed = await this.past.changedItems(request, site.known.sources);
    const facts = { ...site, changed, now: this.options.now() };
    const { commands, notes, key } = planImportOf(request, facts);
    const exists = site.known.head !== undefined;
    const requests = batchesOf(commands, { exists }).flatMap((batch, at) =>
      batch.length === 0 ? [] : [requestOf(request, batch, `${key} ${at} ${hashOf(batch)}`)],
    );
    const { types, stored, version } = await placedInDocument(commands, () =>
      this.#carryOut(requests, { dryRun: request.dryRun, before: site.known.head?.version ?? 0 }),
    );
    return {
      ...{ version, created: !exists },
      ...{ imported: types.length, skipped: stored, events: countsOf(types), notes },
    };
  }

  /** One append is stored as a whole or not at all; several are decided before the first of them is stored. */
  async #carryOut(
    requests: readonly WriteRequest[],
    { dryRun, before }: Readonly<{ dryRun: boolean; before: number }>,
  ): Promise<CheckedWrites> {
    const [only, second] = requests;
    if (only && !second && !dryRun) return resultOf(await this.writes.write(only), before);
    const prepared = await Array.fromAsync(requests, (write) => this.preparation.prepare(write));
    const checked = await this.checks.check(prepared);
    if (!dryRun) for (const write of requests) await this.writes.write(write);
    return checked;
  }
}

function requestOf(
  { principal, contextId }: DocumentsToImport & Readonly<{ contextId: string }>,
  batch: readonly ImportCommand[],
  key: string,
): WriteRequest {
  return {
    ...{ principal, contextId },
    commands: batch.map(({ command }) => command),
    claims: batch.map(({ claim }) => claim),
    places: batch.map(({ index }) => ({ at: `/commands/${index}` })),
    allOrNothing: true,
    idempotency: { key, method: 'POST', path: `/v1/imports ${contextId}`, body: key },
  };
}

/** Events up to the version before the import are those of the same import, sent before. */
function resultOf({ events, version }: WriteAnswer, before: number): CheckedWrites {
  const added = events.filter((event) => event.version > before);
  return { types: added.map(({ type }) => type), stored: events.length - added.length, version };
}

/** Appends that hold something else than before are other appends. The creation is in the first one only if it is needed. */
function hashOf(batch: readonly ImportCommand[]): string {
  const own = batch.filter(({ command }) => command.type !== 'CreateContext');
  return sha256(JSON.stringify(own.map(({ command: { type, data } }) => [type, data])));
}

function nothing({ head, sources }: KnownSources) {
  const version = head?.version ?? Math.max(0, ...sources.map((source) => source.version));
  return { version, created: false, imported: 0, skipped: 0, events: {}, notes: [] };
}

function countsOf(types: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return Object.fromEntries(counts);
}
