import { createHash } from 'node:crypto';

import { v5 } from 'uuid';

import { type EnvelopeFacts, withAppendIndex, sealEvent } from '#event-sourcing';
import { EventsJsonlWriter, type ExportSignature, type SignedHead } from '#interop';

const eventIdNamespace = '3d3f43a0-8a39-5ac0-9c3f-6a6f6de3a1c5';

/** The fields of an event that a file states; all other fields are the same for all events. */
export type FileEvent = Partial<EnvelopeFacts> &
  Readonly<{ type?: string; data?: object; place?: Readonly<{ index: number; count: number }> }>;

/**
 * A file with these contexts of the workspace `default`, each signed after its last event. An event without a type is
 * the creation of its context.
 */
export function writeExport(
  contexts: Readonly<Record<string, readonly FileEvent[]>>,
  sign?: (place: SignedHead) => ExportSignature,
): string {
  const writer = new EventsJsonlWriter();
  const lines = Object.entries(contexts).flatMap(([contextId, events]) => {
    const sealed = sealAll(contextId, events);
    const written = sealed.map(({ hash, ...event }) => writer.event(event, hash));
    const last = sealed.at(-1);
    if (!sign || !last) return written;
    const { workspace, version, hash } = last;
    return [...written, writer.signature(sign({ workspace, contextId, version, hash }))];
  });
  return [writer.header(), ...lines, writer.trailer()].join('');
}

function sealAll(contextId: string, events: readonly FileEvent[]) {
  let previous: string | null = null;
  return events.map(({ type = 'ContextCreated', data = {}, place: inAppend, ...fields }, at) => {
    const version = at + 1;
    const eventId = v5(`${contextId}@${version}`, eventIdNamespace);
    const event = {
      eventId: inAppend ? withAppendIndex(eventId, inAppend) : eventId,
      type,
      data: JSON.stringify(data),
      facts: { ...facts, ...fields },
    };
    const place = { workspace: 'default', context: contextId, version };
    const { hash, ...sealed } = sealEvent(event, place, previous, sha256);
    previous = hash;
    return { ...sealed, workspace: 'default', contextId, version, hash };
  });
}

const facts: EnvelopeFacts = {
  schemaVersion: 1,
  recordedAt: '2026-01-01T00:00:00.000Z',
  principal: 'ada',
  origin: null,
  correlationId: null,
  causationId: null,
  basedOn: null,
  trust: 'human',
  visibility: 'record',
  encrypted: null,
  idempotency: null,
};

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
