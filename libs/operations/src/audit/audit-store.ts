import { type Kysely } from 'kysely';
import {
  type History,
  type InvariantReport,
  type TableDigest,
  LogAudit,
  ProjectionRows,
  checkEffects,
  checkHistoryOrder,
  checkNothingOpen,
  checkProcesses,
  notChecked,
} from '#invariants';

import { type Database } from '#database';
import { type EventStore, type Position } from '#event-sourcing';
import {
  findProjectionOrigin,
  readProjectedContexts,
  sha256,
  sharedContextVersion,
} from '#read-models';
import { contextOfStream } from '#shared-context';

import { findIdleTransactions } from './audit-queries.js';
import { openSurvey } from './log-survey.js';
import { StreamWalk } from './stream-walk.js';
import { TableDigests } from './table-digests.js';

export type StoreAudit = Readonly<{
  reports: readonly InvariantReport[];
  tables: readonly TableDigest[];
  streams: number;
  events: number;
  /** Committed events that the rows do not hold yet. */
  lag: number;
}>;

type Stores = Readonly<{ db: Kysely<Database>; store: EventStore }>;

/**
 * Checks a store, and a history against it, by the invariants of the audit. Changes nothing; servers may run on it
 * meanwhile: rows are compared at the version they have.
 */
export async function auditStore(
  { db, store }: Stores,
  history: History | undefined,
): Promise<StoreAudit> {
  const log = openLogAudit(store, history);
  const [rows, digests] = [new ProjectionRows(), new TableDigests()];
  const walk = new StreamWalk(store, { log, rows, digests });
  const survey = await openSurvey({ db, store });
  const strange = whyIncomparable(await findProjectionOrigin(db), await store.identity());
  for await (const streams of survey.streams()) await followAll(db, walk, { streams, strange });
  const { found, note } = await survey.duplicates();
  for (const { eventId, times } of found) log.duplicate(eventId, times);
  const orphan = await survey.orphan();
  if (orphan)
    rows.take({ context: orphan.contextId, events: 0, differs: 'has rows and no events' });
  const { streams, events, lag } = walk;
  const tables = digests.finish();
  const reports = [
    ...log.reports(note),
    checkHistoryOrder(history, log.lastVersions),
    strange === null ? reportRows(rows, tables, lag) : notChecked('I6', strange),
    checkEffects(history),
    checkNothingOpen(history, await findIdleTransactions(db)),
    checkProcesses(history),
  ];
  return { reports: reports.toSorted(byNumber), tables, streams, events, lag };
}

function openLogAudit(store: EventStore, history: History | undefined): LogAudit {
  return new LogAudit({
    history,
    ownerOf: (stream) => {
      const id = contextOfStream(stream);
      return id && { workspace: id.workspace, context: id.contextId };
    },
    sha256,
    // A history keeps positions as it was given them.
    comparePositions: (left, right) => store.comparePositions(left as Position, right as Position),
  });
}

async function followAll(
  db: Kysely<Database>,
  walk: StreamWalk,
  { streams, strange }: Readonly<{ streams: readonly string[]; strange: string | null }>,
): Promise<void> {
  const ids = streams.map(contextOfStream);
  const projected = await readProjectedContexts(
    db,
    ids.filter((id) => id !== undefined),
  );
  for (const [at, id] of ids.entries()) {
    const rows = id && projected.shift();
    // A position of another log cannot be compared with those of this one.
    if (id && rows)
      await walk.followContext(id, strange === null ? rows : { ...rows, checkpoint: null });
    else await walk.follow(streams[at] ?? '');
  }
}

/** Rows that other code made are another fold's, those that follow another log another store's. */
function whyIncomparable(
  origin: Awaited<ReturnType<typeof findProjectionOrigin>>,
  identity: string,
): string | null {
  if (!origin) return null;
  if (origin.storeIdentity !== identity)
    return 'the rows follow another event store: rebuild them from this one';
  if (origin.version === sharedContextVersion) return null;
  return `the rows are of version ${origin.version} of the projection, this code makes ${sharedContextVersion}`;
}

function reportRows(
  rows: ProjectionRows,
  tables: readonly TableDigest[],
  lag: number,
): InvariantReport {
  return rows.report(tables, lag > 0 ? `${lag} events are not applied yet` : null);
}

function byNumber(left: InvariantReport, right: InvariantReport): number {
  return Number(left.id.slice(1)) - Number(right.id.slice(1));
}
