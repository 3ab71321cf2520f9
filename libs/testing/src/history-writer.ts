import { createHash, randomUUID } from 'node:crypto';

import { type EventStore, type EventToAppend, openEnvelope, sealEvent } from '#event-sourcing';
import { type NewContextEvent, contextRegistry } from '#shared-context';

const startOfTime = Date.UTC(2026, 0, 1);

/**
 * An event with its principal (by default `tester`), the agent that the principal acted for, the receipt that the event
 * cites, and its id (by default a random one).
 */
type WrittenBy = NewContextEvent &
  Readonly<{ principal?: string; actingFor?: string; basedOn?: string; id?: string }>;

/** Appends events to contexts of the workspace `default` as a server would store them, without a server. */
export class HistoryWriter {
  readonly #ends = new Map<string, { version: number; hash: string }>();

  constructor(private readonly store: Pick<EventStore, 'append'>) {}

  async append(contextId: string, ...events: readonly WrittenBy[]): Promise<void> {
    let end = this.#ends.get(contextId);
    const expected = end ? end.version : 'no-stream';
    const sealed: EventToAppend[] = [];
    for (const event of events) {
      const version = (end?.version ?? 0) + 1;
      const stored = seal(contextId, version, end?.hash ?? null, event);
      sealed.push(stored);
      end = { version, hash: openEnvelope(stored.metadata).hash };
    }
    await this.store.append(`context-default:${contextId}`, sealed, expected);
    if (end) this.#ends.set(contextId, end);
  }
}

function seal(
  context: string,
  version: number,
  previousHash: string | null,
  {
    type,
    data,
    visibility,
    principal = 'tester',
    actingFor,
    basedOn,
    id = randomUUID(),
  }: WrittenBy,
): EventToAppend {
  const event = { eventId: id, type, data: JSON.stringify(data) };
  const facts = {
    schemaVersion: contextRegistry.find(type)?.version ?? 1,
    recordedAt: new Date(startOfTime + version * 1000).toISOString(),
    principal,
    origin: actingFor === undefined ? null : { agentId: actingFor, timestamp: null },
    correlationId: null,
    causationId: null,
    basedOn: basedOn ?? null,
    trust: 'agent' as const,
    visibility,
    encrypted: null,
    idempotency: null,
  };
  const place = { workspace: 'default', context, version };
  return {
    ...event,
    metadata: sealEvent({ ...event, facts }, place, previousHash, sha256).metadata,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
