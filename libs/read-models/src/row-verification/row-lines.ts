import { type WorkColumns } from '../open-work/open-work-rows.js';
import { sha256 } from '../sha256.js';
import { type readModelTableNames } from '../tables.js';

type ReadModelTable = (typeof readModelTableNames)[number];

/** The rows of one context as sorted lines of text: equal if the rows are equal. */
export type RowLines = Readonly<Record<ReadModelTable, readonly string[]>>;

type ItemColumns = Readonly<{
  kind: string;
  /** As stored in the column. */
  key: string;
  from: number;
  to: number | null;
  /** SHA-256 of the column's text. */
  state: string;
  body: string | null;
  sources: string | null;
}>;

type VersionColumns = Readonly<{
  version: number;
  recordedAt: string;
  principal: string;
  bytes: number;
  tokens: number;
  eventId: string | null;
  correlationId: string | null;
  causationId: string | null;
  basedOn: string | null;
  /** As stored in the column. */
  activity: string | null;
}>;

export function itemLine({ kind, key, from, to, state, body, sources }: ItemColumns): string {
  return JSON.stringify([kind, key, from, to, state, body, sources]);
}

export function versionLine(row: VersionColumns): string {
  const { version, recordedAt, principal, bytes, tokens } = row;
  const trace = [row.eventId, row.correlationId, row.causationId, row.basedOn];
  return JSON.stringify([version, recordedAt, principal, bytes, tokens, ...trace, row.activity]);
}

type LineageColumns = Readonly<{ from: number; baseContext: string; baseVersion: number }>;

export function lineageLine({ from, baseContext, baseVersion }: LineageColumns): string {
  return JSON.stringify([from, baseContext, baseVersion]);
}

/** `state`, `body` and `sources` are hashes. */
export function workLine(row: WorkColumns): string {
  const { kind, key, assignee, due, priority, opened_at: openedAt, from_version: from } = row;
  const { state, body, sources } = row;
  return JSON.stringify([kind, key, assignee, due, priority, openedAt, from, state, body, sources]);
}

/** All columns, in the order of their names. */
export function headLine(row: Readonly<Record<string, string | number | boolean | null>>): string {
  return JSON.stringify(Object.entries(row).sort(([left], [right]) => (left < right ? -1 : 1)));
}

export function digestOf(lines: readonly string[]): string {
  return sha256(lines.join('\n'));
}
