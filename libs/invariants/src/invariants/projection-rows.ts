import { Findings, type InvariantReport } from '../invariant-report.js';

/** SHA-256 over all rows of a read model, in the order of their keys, and over those the log folds to. */
export type TableDigest = Readonly<{ table: string; rows: number; actual: string; folded: string }>;

/** `differs`: how a context's rows are not what its events fold to; null if they are. */
export type FoldedContext = Readonly<{ context: string; events: number; differs: string | null }>;

/** I6, context by context. */
export class ProjectionRows {
  readonly #findings = new Findings('I6');

  take({ context, events, differs }: FoldedContext): void {
    this.#findings.checked(events);
    if (differs !== null) this.#findings.offend(`${context}: ${differs}`);
  }

  /** Tables that differ where every context of the log agrees hold rows of no context. */
  report(tables: readonly TableDigest[], note: string | null): InvariantReport {
    for (const { table, actual, folded } of tables)
      if (actual !== folded) this.#findings.offend(`${table}: sha256 ${actual}, folded ${folded}`);
    return this.#findings.report(note);
  }
}
