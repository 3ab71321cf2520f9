import { z } from 'zod';

import { type EventToAppend } from './event-store.js';
import { inWords } from './issue-wording.js';

/**
 * SHA-256 of UTF-8 text as 64 lower-case hexadecimal digits. The caller passes it in, as the kernel imports no crypto.
 */
export type Sha256 = (text: string) => string;

export const trustLevels = ['human', 'agent', 'tool', 'web'] as const;
export const visibilities = ['record', 'working'] as const;

const hex64 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * The facts about an event in addition to its payload. FROZEN: it is stored permanently and covered by the hash chain;
 * golden files in envelope.spec.ts pin its bytes. A new member requires a new envelope version, never an edit of this
 * one.
 */
const envelopeSchema = z.strictObject({
  envelope: z.literal(1),
  schemaVersion: z.number().int().min(1),
  /** RFC 3339 in UTC with milliseconds; never decreases within a stream. */
  recordedAt: z.iso.datetime({ precision: 3 }),
  /** The authenticated principal: an agent id, `key:<keyId>` or `admin`. */
  principal: z.string().min(1),
  /** The author, if it is not the principal: the agent for whom the principal acted, or the imported author. */
  origin: z
    .strictObject({ agentId: z.string().nullable(), timestamp: z.string().nullable() })
    .nullable(),
  correlationId: z.string().nullable(),
  causationId: z.string().nullable(),
  /** The receipt of the read on which the author based the event. */
  basedOn: z.string().nullable(),
  trust: z.enum(trustLevels),
  visibility: z.enum(visibilities),
  /** Reserved: JSON pointers (RFC 6901) to ciphertext in the payload. */
  encrypted: z
    .array(z.strictObject({ pointer: z.string(), keyId: z.string(), algorithm: z.string() }))
    .nullable(),
  /**
   * The request that stored the event: hash of the key with its scope, keyed hash of the body, place in the response.
   */
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

/** The members that the writer states; the others follow from the place in the stream. */
export type EnvelopeFacts = Omit<Envelope, 'envelope' | 'previousHash' | 'hash'>;

/** The place of an event: the owner of its stream, and its version. */
export type StreamPosition = Readonly<{ workspace: string; context: string; version: number }>;

export type EventToSeal = Readonly<{
  eventId: string;
  type: string;
  data: string;
  facts: EnvelopeFacts;
}>;

/**
 * Adds an event to the chain after `previousHash`; `data` is the JSON text of the payload, which is encoded only once.
 */
export function sealEvent(
  { eventId, type, data, facts }: EventToSeal,
  place: StreamPosition,
  previousHash: string | null,
  sha256: Sha256,
): EventToAppend & { hash: string } {
  const hash = sha256(
    canonicalHeader({ ...facts, previousHash }, { eventId, type }, place, sha256(data)),
  );
  const envelope: Envelope = { envelope: 1, ...inFixedOrder(facts), previousHash, hash };
  return { eventId, type, data, metadata: JSON.stringify(envelope), hash };
}

/** Parses stored metadata; throws zod's error if it is not an envelope. */
export function openEnvelope(metadata: string): Envelope {
  return envelopeSchema.parse(JSON.parse(metadata), inWords);
}

/** The hash of an unchanged event; another hash in its envelope means that it was edited or moved. */
export function expectedHash(
  event: EventToAppend,
  envelope: Envelope,
  place: StreamPosition,
  sha256: Sha256,
): string {
  return sha256(canonicalHeader(envelope, event, place, sha256(event.data)));
}

type HashedFacts = EnvelopeFacts & Readonly<{ previousHash: string | null }>;

/** A JSON array in a fixed order, which needs no canonicalization. It does not include the position in the log. */
function canonicalHeader(
  facts: HashedFacts,
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

/** Copies member by member, so that the bytes do not depend on the order of members in the writer's objects. */
function inFixedOrder(facts: EnvelopeFacts): EnvelopeFacts {
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
