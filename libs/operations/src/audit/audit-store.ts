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
  /** The number of committed events that are not applied to the rows yet. */
  lag: number;
}>;

type Stores = Readonly<{ db: Kysely<Database>; store: EventStore }>;

/**
 * Checks the invariants of the audit on a store, and on a history of it. Changes nothing. Servers may be running, because rows are
 * compared at their version.
 */
export async function auditStore(
  { db, store }: Stores,
  history: History | undefined,
): Promise<StoreAudit> {
  const log = openLogAudit(store, history);
  const [rows, digests] = [new ProjectionRows(), new TableDigests()];
  const walk = new StreamWalk(store, { log, rows, digests });
  const survey = await openSurvey({ db, store });
  const incomparable = whyIncomparable(await findProjectionOrigin(db), await store.identity());
  for await (const streams of survey.streams())
    await followAll(db, walk, { streams, incomparable });
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
    incomparable === null ? reportRows(rows, tables, lag) : notChecked('I6', incomparable),
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
    // The casts are safe: histories contain unmodified positions of the store.
    comparePositions: (left, right) => store.comparePositions(left as Position, right as Position),
  });
}

async function followAll(
  db: Kysely<Database>,
  walk: StreamWalk,
  { streams, incomparable }: Readonly<{ streams: readonly string[]; incomparable: string | null }>,
): Promise<void> {
  const ids = streams.map(contextOfStream);
  const projected = await readProjectedContexts(
    db,
    ids.filter((id) => id !== undefined),
  );
  for (const [at, id] of ids.entries()) {
    const rows = id && projected.shift();
    // Positions of another log cannot be compared with positions of this one.
    if (id && rows)
      await walk.followContext(id, incomparable === null ? rows : { ...rows, checkpoint: null });
    else await walk.follow(streams[at] ?? '');
  }
}

/** The reason why rows cannot be compared: they follow another log, or another version of the projection made them. */
function whyIncomparable(
  origin: Awaited<ReturnType<typeof findProjectionOrigin>>,
  identity: string,
): string | null {
  if (!origin) return null;
  if (origin.storeIdentity !== identity)
    return 'the rows follow another event store: rebuild them from this one';
  if (origin.version === sharedContextVersion) return null;
  return `the rows are of version ${origin.version} of the projection, but this program uses version ${sharedContextVersion}`;
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
