import { parseJsonString } from '#event-sourcing';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';

import { type Database } from '#database';
import { type ContextId } from '#shared-context';

import { encodeKey } from './item-rows.js';
import { receiptHash } from './receipt-hash.js';

/** The ids that link an event to others; the payload stays in the stream. */
export type TracedEvent = ContextId &
  Readonly<{
    version: number;
    eventId: string;
    correlationId: string | null;
    causationId: string | null;
  }>;

/** The scope of a search: one workspace, and the contexts and workflows that a key may read; null means no limit. */
type TraceScope = Readonly<{
  workspace: string;
  contexts: readonly string[] | null;
  workflows: readonly string[] | null;
}>;

export type TraceLink =
  | Readonly<{ eventIds: readonly string[] }>
  | Readonly<{ causedBy: readonly string[] }>
  | Readonly<{ correlationId: string }>;

/** Selects the events that cite a receipt. */
type CitedReceipt = Readonly<{ basedOn: string }>;

const row = z
  .object({
    workspace: z.string(),
    context_id: z.string(),
    version: z.number(),
    event_id: z.uuid(),
    correlation_id: z.string().nullable(),
    causation_id: z.string().nullable(),
  })
  .transform((found): TracedEvent => ({
    workspace: found.workspace,
    contextId: found.context_id,
    version: found.version,
    eventId: found.event_id,
    correlationId: decoded(found.correlation_id),
    causationId: decoded(found.causation_id),
  }));

/** Projected events in the scope that have the link, in the order of recording; `eventIds` are UUIDs. */
export async function findTracedEvents(
  db: Kysely<Database>,
  scope: TraceScope,
  link: TraceLink | CitedReceipt,
  limit: number,
): Promise<TracedEvent[]> {
  const { rows } = await sql`
    select v.workspace, v.context_id, v.version, v.event_id, v.correlation_id, v.causation_id
    from throughline.context_versions v
    join throughline.contexts c on c.workspace = v.workspace and c.context_id = v.context_id
    where v.workspace = ${scope.workspace} and v.event_id is not null and ${linked(link)} and ${within(scope)}
    order by v.recorded_at, v.context_id, v.version
    limit ${limit}`.execute(db);
  return rows.map((found) => row.parse(found));
}

function linked(link: TraceLink | CitedReceipt): RawBuilder<unknown> {
  if ('eventIds' in link) return sql`v.event_id = any(${link.eventIds}::uuid[])`;
  if ('causedBy' in link) return sql`v.causation_id = any(${link.causedBy.map(encodeKey)}::text[])`;
  if ('basedOn' in link) return sql`v.based_on = ${receiptHash(link.basedOn)}`;
  return sql`v.correlation_id = ${encodeKey(link.correlationId)}`;
}

function within({ contexts, workflows }: TraceScope): RawBuilder<unknown> {
  const byContext =
    contexts === null
      ? sql`true`
      : sql`(c.context_id = any(${contexts}) or c.parent = any(${contexts}))`;
  return workflows === null ? byContext : sql`${byContext} and c.workflow_id = any(${workflows})`;
}

function decoded(text: string | null): string | null {
  // This library stored the text as the inside of a JSON string.
  return text === null ? null : parseJsonString(`"${text}"`);
}
