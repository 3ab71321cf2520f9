import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { ContextReader } from '#read-models';

import { requireImporter } from '../access/authorize.js';
import { WRITER_OPTIONS } from '../tokens.js';
import { type CommandProcessorOptions } from '../writing/command-processor.js';
import { type KnownSources, findSources } from './earlier-import.js';
import { ImportAppends } from './import-appends.js';
import {
  type DocumentsImported,
  type DocumentsToImport,
  ImportDocumentsCommand,
} from './document-exchange.messages.js';
import { PastDocuments } from './past-documents.js';
import { isImported, planImportOf, readDocuments } from './planned-import.js';
import { RegisteredDefinitions } from './registered-definitions.js';

/**
 * Imports documents. The whole import is decided before the first append. A large import takes several appends; if it
 * is interrupted, a repetition continues after the stored ones.
 */
@CommandHandler(ImportDocumentsCommand)
export class ImportDocumentsHandler implements ICommandHandler<ImportDocumentsCommand> {
  // oxlint-disable-next-line eslint/max-params -- an import reads, compares, stores and registers
  constructor(
    private readonly reader: ContextReader,
    private readonly past: PastDocuments,
    private readonly appends: ImportAppends,
    private readonly definitions: RegisteredDefinitions,
    @Inject(WRITER_OPTIONS) private readonly options: Pick<CommandProcessorOptions, 'now'>,
  ) {}

  async execute({ request }: ImportDocumentsCommand): Promise<DocumentsImported> {
    const { principal, format, register, dryRun } = request;
    requireImporter(principal);
    const reading = readDocuments(request);
    const contextId = request.as ?? reading.contextId;
    const known = await findSources(this.reader, { principal, contextId, format });
    const registrations = register ? reading.registrations : undefined;
    if (registrations) this.definitions.check(principal, registrations);
    const registered = this.definitions.namesOf(registrations);
    const imported = isImported(request, known)
      ? unchangedResult(known)
      : await this.#import({ ...request, contextId }, { known, reading });
    if (registrations && !dryRun) await this.definitions.register(principal, registrations);
    return { contextId, ...imported, registered };
  }

  async #import(
    request: DocumentsToImport & Readonly<{ contextId: string }>,
    state: Readonly<{ known: KnownSources; reading: ReturnType<typeof readDocuments> }>,
  ): Promise<Omit<DocumentsImported, 'contextId' | 'registered'>> {
    const { head, sources } = state.known;
    const changed = await this.past.changedItems(request, sources);
    const plan = planImportOf(request, { ...state, changed, now: this.options.now() });
    const target = { request, before: head?.version ?? 0 };
    const { types, stored, version } = await this.appends.carryOut(plan, target);
    return {
      version,
      created: head === undefined,
      notes: plan.notes,
      imported: types.length,
      skipped: stored,
      events: countsOf(types),
    };
  }
}

function unchangedResult({ head, sources }: KnownSources) {
  const version = head?.version ?? Math.max(0, ...sources.map((source) => source.version));
  return { version, created: false, imported: 0, skipped: 0, events: {}, notes: [] };
}

function countsOf(types: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const type of types) counts.set(type, (counts.get(type) ?? 0) + 1);
  return Object.fromEntries(counts);
}
