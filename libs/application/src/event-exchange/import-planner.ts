import { Inject, Injectable } from '@nestjs/common';

import { type EventStore } from '#event-sourcing';

import { type Principal } from '../access/principal.js';
import { EVENT_STORE, WRITER_OPTIONS } from '../tokens.js';
import type { CommandProcessorOptions } from '../writing/command-processor.js';
import { trustOf } from '../writing/prepared-write.js';
import { checkStorable } from './check-storable.js';
import { ExportSignatures } from './export-signatures.js';
import { invalidLine } from './import.errors.js';
import { type ImportPlan, type ImportTarget, planImport } from './import-plan.js';
import { type ImportedGroup } from './read-import.js';

type PlanRequest = Readonly<{ principal: Principal; as: string | undefined }>;

/** `isSigned`: this server or a trusted one has signed the events of the file. */
export type CheckedPlan = ImportPlan & Readonly<{ isSigned: boolean }>;

/** Plans the import of the contexts of a file, and stores nothing. */
@Injectable()
export class ImportPlanner {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly signatures: ExportSignatures,
    @Inject(WRITER_OPTIONS) private readonly options: Pick<CommandProcessorOptions, 'now'>,
  ) {}

  /** Refuses any fault of the file with respect to this store and this principal. */
  async plan(groups: readonly ImportedGroup[], request: PlanRequest): Promise<CheckedPlan[]> {
    const second = groups.at(1);
    if (request.as !== undefined && second)
      throw invalidLine(
        second.first.line,
        '/contextId',
        'as applies to a file with one context, but this is a second one',
      );
    const plans: CheckedPlan[] = [];
    for (const group of groups) {
      const isSigned = this.#isSigned(group);
      const target = this.#targetOf(group, request, isSigned);
      plans.push({ ...(await planImport(this.store, target, group)), isSigned });
    }
    await checkStorable(this.store, plans, this.options.now());
    return plans;
  }

  /** The signature of the last event covers all events before it through the hashes. */
  #isSigned({ signature: read }: ImportedGroup): boolean {
    if (!read || !this.signatures.trusts(read.signature.key)) return false;
    if (this.signatures.fits(read.signature)) return true;
    throw invalidLine(
      read.line,
      '/signature/value',
      'is not a valid signature of this key for the event before it',
    );
  }

  #targetOf(
    { workspace, contextId, first }: ImportedGroup,
    { principal, as }: PlanRequest,
    isSigned: boolean,
  ): ImportTarget {
    const id = { workspace: principal.workspace, contextId: as ?? contextId };
    const importer = {
      principal: principal.name,
      trust: isSigned ? ('human' as const) : trustOf(principal, undefined),
    };
    if (as !== undefined)
      return {
        id,
        importer: { ...importer, recordedAt: new Date(this.options.now()).toISOString() },
      };
    if (workspace !== principal.workspace)
      throw invalidLine(
        first.line,
        '/workspace',
        `is not ${principal.workspace}, the workspace of this key: set as=<contextId> to import it as a context of this workspace`,
      );
    return { id, importer: isSigned ? undefined : { ...importer, recordedAt: undefined } };
  }
}
