import { z } from 'zod';

import { type EventToAppend } from './event-store.js';
import { inWords } from './issue-wording.js';

/** SHA-256 of UTF-8 text as 64 lower-case hex digits. Given by the edge: the kernel imports no crypto. */
export type Sha256 = (text: string) => string;

export const trustLevels = ['human', 'agent', 'tool', 'web'] as const;
export const visibilities = ['record', 'working'] as const;

const hex64 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * What every event carries beside its payload. FROZEN: stored for ever and covered by the hash chain; golden
 * files in envelope.spec.ts hold its bytes. A new member is a new envelope version, never an edit of this one.
 */
const envelopeSchema = z.strictObject({
  envelope: z.literal(1),
  schemaVersion: z.number().int().min(1),
  /** RFC 3339, UTC, milliseconds; never goes back within a stream. */
  recordedAt: z.iso.datetime({ precision: 3 }),
  /** Who was authenticated: an agent id, `key:<keyId>` or `admin`. */
  principal: z.string().min(1),
  /** Whose work it is where that is not the principal: acted for, or imported. */
  origin: z
    .strictObject({ agentId: z.string().nullable(), timestamp: z.string().nullable() })
    .nullable(),
  correlationId: z.string().nullable(),
  causationId: z.string().nullable(),
  /** The receipt of what the author had read. */
  basedOn: z.string().nullable(),
  trust: z.enum(trustLevels),
  visibility: z.enum(visibilities),
  /** Reserved: where the payload holds ciphertext, by RFC 6901 pointer. */
  encrypted: z
    .array(z.strictObject({ pointer: z.string(), keyId: z.string(), algorithm: z.string() }))
    .nullable(),
  /** The request that stored it: hash of the key's scope, keyed hash of the body, place within the answer. */
  idempotency: z
    .strictObject({
      key: hex64,
      fingerprint: hex64,
      index: z.number().int().min(0),
      count: z.number().int().min(1),
    })
    .nullable(),
  previousHash: hex64.nullable(),
  hash: hex64,
});

export type Envelope = Readonly<z.output<typeof envelopeSchema>>;

/** Everything of an envelope the writer states; version and hashes follow from the place in the stream. */
export type EnvelopeFacts = Omit<Envelope, 'envelope' | 'previousHash' | 'hash'>;

/** Where an event is placed: the owner of its stream and its version there. */
export type StreamPosition = Readonly<{ workspace: string; context: string; version: number }>;

export type EventToSeal = Readonly<{
  eventId: string;
  type: string;
  data: string;
  facts: EnvelopeFacts;
}>;

/** Closes an event into the chain behind `previousHash`; `data` is the payload's JSON text, encoded once. */
export function sealEvent(
  { eventId, type, data, facts }: EventToSeal,
  place: StreamPosition,
  previousHash: string | null,
  sha256: Sha256,
): EventToAppend & { hash: string } {
  const hash = sha256(
    canonicalHeader({ ...facts, previousHash }, { eventId, type }, place, sha256(data)),
  );
  const envelope: Envelope = { envelope: 1, ...ordered(facts), previousHash, hash };
  return { eventId, type, data, metadata: JSON.stringify(envelope), hash };
}

/** Parses stored metadata; throws zod's error where it is not an envelope. */
export function openEnvelope(metadata: string): Envelope {
  return envelopeSchema.parse(JSON.parse(metadata), inWords);
}

/** The hash an untouched event has; anything else in its envelope means it was edited or moved. */
export function expectedHash(
  event: EventToAppend,
  envelope: Envelope,
  place: StreamPosition,
  sha256: Sha256,
): string {
  return sha256(canonicalHeader(envelope, event, place, sha256(event.data)));
}

type Hashed = EnvelopeFacts & Readonly<{ previousHash: string | null }>;

/** One JSON array in fixed order, so there is nothing to canonicalise; never the global position. */
function canonicalHeader(
  facts: Hashed,
  event: Readonly<{ eventId: string; type: string }>,
  { workspace, context, version }: StreamPosition,
  payloadHash: string,
): string {
  const { origin, encrypted, idempotency } = facts;
  return JSON.stringify([
    'throughline.event.v1',
    workspace,
    context,
    version,
    event.eventId,
    event.type,
    facts.schemaVersion,
    facts.recordedAt,
    facts.principal,
    origin && [origin.agentId, origin.timestamp],
    facts.correlationId,
    facts.causationId,
    facts.basedOn,
    facts.trust,
    facts.visibility,
    encrypted && encrypted.map(({ pointer, keyId, algorithm }) => [pointer, keyId, algorithm]),
    idempotency && [idempotency.key, idempotency.fingerprint, idempotency.index, idempotency.count],
    facts.previousHash,
    payloadHash,
  ]);
}

/** Member by member, so that the bytes do not depend on how the writer wrote its objects down. */
function ordered(facts: EnvelopeFacts): EnvelopeFacts {
  const { origin, encrypted, idempotency } = facts;
  return {
    schemaVersion: facts.schemaVersion,
    recordedAt: facts.recordedAt,
    principal: facts.principal,
    origin: origin && { agentId: origin.agentId, timestamp: origin.timestamp },
    correlationId: facts.correlationId,
    causationId: facts.causationId,
    basedOn: facts.basedOn,
    trust: facts.trust,
    visibility: facts.visibility,
    encrypted:
      encrypted &&
      encrypted.map(({ pointer, keyId, algorithm }) => ({ pointer, keyId, algorithm })),
    idempotency: idempotency && {
      key: idempotency.key,
      fingerprint: idempotency.fingerprint,
      index: idempotency.index,
      count: idempotency.count,
    },
  };
}
