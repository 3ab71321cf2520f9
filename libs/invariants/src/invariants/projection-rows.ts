import { Findings, type InvariantReport } from '../invariant-report.js';

/** SHA-256 over all rows of a read model, in the order of their keys, and over the rows that result from folding the log. */
export type TableDigest = Readonly<{ table: string; rows: number; actual: string; folded: string }>;

/** `differs` describes how the rows of a context differ from the fold of its events; null if they are equal. */
export type FoldedContext = Readonly<{ context: string; events: number; differs: string | null }>;

/** I6: compares the rows of each context with the fold of its events. */
export class ProjectionRows {
  readonly #findings = new Findings('I6');

  take({ context, events, differs }: FoldedContext): void {
    this.#findings.checked(events);
    if (differs !== null) this.#findings.offend(`${context}: ${differs}`);
  }

  /** If a table differs although all contexts of the log are equal, it contains rows that belong to no context. */
  report(tables: readonly TableDigest[], note: string | null): InvariantReport {
    for (const { table, actual, folded } of tables)
      if (actual !== folded) this.#findings.offend(`${table}: sha256 ${actual}, folded ${folded}`);
    return this.#findings.report(note);
  }
}
