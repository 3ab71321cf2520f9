import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import {
  type Envelope,
  type EventToSeal,
  type StreamPosition,
  expectedHash,
  openEnvelope,
  sealEvent,
} from './envelope.js';
import { type Position } from './event-store.js';

type Golden = {
  event: EventToSeal;
  place: StreamPosition;
  previousHash: string | null;
  metadata: string;
  hash: string;
};

const fixtures = join(import.meta.dirname, '../fixtures');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function golden(file: string): Golden {
  return JSON.parse(readFileSync(join(fixtures, file), 'utf8'));
}

const files = readdirSync(fixtures);
const whole = golden('envelope-v1.2-all-members.json');

describe('the envelope of version 1', () => {
  test('has golden files, and the files themselves have not changed', () => {
    expect(files.map((file) => [file, sha256(readFileSync(join(fixtures, file), 'utf8'))])).toEqual(
      [
        [
          'envelope-v1.1-first-event.json',
          '4595c53cdd208190320ed12baca16d40c44d99b29e7ec7238ee78ca5e2a84a7e',
        ],
        [
          'envelope-v1.2-all-members.json',
          '41596677ecccd60fc15f0276edb1104db2da2f2abfe1c645d44aed8c8bb9bf06',
        ],
        [
          'envelope-v1.3-odd-text.json',
          '865c17fd94a9ad898fa9d0456aa67050e54d2941129907c16f109c02a812c070',
        ],
        [
          'envelope-v1.4-acted-for.json',
          'dd06a3d5c27f3c762c41d9c6b2968e6d004b196671fdba3e4f5c9bcb6aafc146',
        ],
      ],
    );
  });

  test.each(files)('is always sealed to the same bytes: %s', (file) => {
    const { event, place, previousHash, metadata, hash } = golden(file);
    const sealed = sealEvent(event, place, previousHash, sha256);
    expect(sealed.metadata).toBe(metadata);
    expect(sealed.hash).toBe(hash);
    expect(sealed.data).toBe(event.data);
  });

  test.each(files)('is read back as it was sealed: %s', (file) => {
    const { event, place, previousHash, metadata, hash } = golden(file);
    const envelope = openEnvelope(metadata);
    expect(envelope).toEqual({ envelope: 1, ...event.facts, previousHash, hash });
    expect(expectedHash(stored(event, metadata, place), envelope, place, sha256)).toBe(hash);
  });

  test('links each event to the previous one', () => {
    const chain = files.map(golden);
    expect(chain.map(({ previousHash }) => previousHash)).toEqual([
      null,
      ...chain.slice(0, -1).map(({ hash }) => hash),
    ]);
  });

  test('has the same bytes for any order of the members', () => {
    const { event, place, previousHash, metadata } = whole;
    expect(sealEvent(reversed(event), place, previousHash, sha256).metadata).toBe(metadata);
  });

  test.each([
    ['without a member', { trust: undefined }],
    ['with a member it does not know', { colour: 'red' }],
    ['of another version', { envelope: 2 }],
    ['with a hash that is none', { hash: 'abc' }],
    ['with a time of another precision', { recordedAt: '2026-01-02T03:04:05Z' }],
    ['with a local time', { recordedAt: '2026-01-02T03:04:05.678+02:00' }],
    ['with a schema version of 0', { schemaVersion: 0 }],
  ])('is refused %s', (_, change) => {
    const metadata = JSON.stringify({ ...JSON.parse(whole.metadata), ...change });
    expect(() => openEnvelope(metadata)).toThrow();
  });
});

describe('the hash of an event', () => {
  const { event, place, metadata, hash } = whole;
  const envelope = openEnvelope(metadata);
  const hashOf = (change: {
    event?: Partial<EventToSeal>;
    envelope?: Partial<Envelope>;
    place?: Partial<StreamPosition>;
  }): string =>
    expectedHash(
      stored({ ...event, ...change.event }, metadata, place),
      { ...envelope, ...change.envelope },
      { ...place, ...change.place },
      sha256,
    );

  test('is that of the untouched event', () => {
    expect(hashOf({})).toBe(hash);
  });

  test.each<[string, Parameters<typeof hashOf>[0]]>([
    ['its data', { event: { data: event.data.replace('0.9', '0.90') } }],
    ['its type', { event: { type: 'DecisionRejected' } }],
    ['its id', { event: { eventId: '0190a5c8-7f3b-7d4e-9a10-000000000009' } }],
    ['its workspace', { place: { workspace: 'other' } }],
    ['its context', { place: { context: 'other' } }],
    ['its version', { place: { version: 3 } }],
    ['its schema version', { envelope: { schemaVersion: 2 } }],
    ['its time', { envelope: { recordedAt: '2026-01-02T03:04:05.680Z' } }],
    ['its principal', { envelope: { principal: 'key:k_8' } }],
    ['its origin', { envelope: { origin: { agentId: 'other', timestamp: null } } }],
    ['the lack of an origin', { envelope: { origin: null } }],
    ['its correlation', { envelope: { correlationId: null } }],
    ['its causation', { envelope: { causationId: 'other' } }],
    ['its receipt', { envelope: { basedOn: 'other' } }],
    ['its trust', { envelope: { trust: 'web' } }],
    ['its visibility', { envelope: { visibility: 'record' } }],
    ['its encrypted members', { envelope: { encrypted: [] } }],
    ['the lack of encrypted members', { envelope: { encrypted: null } }],
    ['its request', { envelope: { idempotency: null } }],
    ['what it follows', { envelope: { previousHash: 'c'.repeat(64) } }],
    ['that it follows nothing', { envelope: { previousHash: null } }],
  ])('covers %s', (_, change) => {
    expect(hashOf(change)).not.toBe(hash);
  });

  test('keeps adjacent members apart', () => {
    const left = hashOf({ envelope: { correlationId: 'a","b', causationId: 'c' } });
    const right = hashOf({ envelope: { correlationId: 'a', causationId: 'b","c' } });
    expect(left).not.toBe(right);
  });
});

function stored(
  { eventId, type, data }: EventToSeal,
  metadata: string,
  { version }: StreamPosition,
) {
  // The hash does not cover positions.
  return { eventId, type, data, metadata, version, stream: 's', position: '1' as Position };
}

/** The same value with the members of every object in reverse order. */
function reversed<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    member && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).reverse())
      : member,
  );
}
