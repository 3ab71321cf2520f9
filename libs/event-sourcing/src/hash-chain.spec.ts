import { createHash } from 'node:crypto';

import { type EnvelopeFacts, sealEvent } from './envelope.js';
import { type Position, type StoredEvent } from './event-store.js';
import { checkChain } from './hash-chain.js';

const owner = { workspace: 'default', context: 'c-1' };
const start = { version: 0, hash: null };
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const facts: EnvelopeFacts = {
  schemaVersion: 1,
  recordedAt: '2026-01-02T03:04:05.678Z',
  principal: 'architect',
  origin: null,
  correlationId: null,
  causationId: null,
  basedOn: null,
  trust: 'agent',
  visibility: 'record',
  encrypted: null,
  idempotency: null,
};

/** A stream of the given length; another `principal` gives a different history of the same shape. */
function chainOf(length: number, principal = facts.principal): StoredEvent[] {
  const events: StoredEvent[] = [];
  let previousHash: string | null = null;
  for (let version = 1; version <= length; version++) {
    const eventId = `0190a5c8-7f3b-7d4e-9a10-00000000000${version}`;
    const event = {
      eventId,
      type: 'Noted',
      data: `{"n":${version}}`,
      facts: { ...facts, principal },
    };
    const { hash, ...sealed } = sealEvent(event, { ...owner, version }, previousHash, sha256);
    // The chain does not cover positions.
    events.push({ ...sealed, stream: 's', version, position: String(version) as Position });
    previousHash = hash;
  }
  return events;
}

function withChange(version: number, change: (event: StoredEvent) => Partial<StoredEvent>) {
  return chainOf(5).map((event) =>
    event.version === version ? { ...event, ...change(event) } : event,
  );
}

function renumbered(events: readonly StoredEvent[]): StoredEvent[] {
  return events.map((event, index) => ({ ...event, version: index + 1 }));
}

describe('a hash chain', () => {
  test('is intact if no event was changed, whether read at once or in pages', () => {
    const events = chainOf(5);
    const all = checkChain(events, start, owner, sha256);
    expect(all).toMatchObject({ broken: null, end: { version: 5 } });
    const page = checkChain(events.slice(0, 2), start, owner, sha256);
    expect(checkChain(events.slice(2), page.end, owner, sha256)).toEqual(all);
    expect(checkChain([], start, owner, sha256)).toEqual({ end: start, broken: null });
  });

  const [first, second, third, fourth, fifth] = chainOf(5);
  if (!first || !second || !third || !fourth || !fifth) throw new Error('five events were made');
  const rewritten = chainOf(5, 'forger');

  test.each<[string, StoredEvent[], number, string]>([
    ['data was edited', withChange(3, () => ({ data: '{"n":4}' })), 3, 'wrong-hash'],
    [
      'data was edited in spelling only',
      withChange(3, () => ({ data: '{"n": 3}' })),
      3,
      'wrong-hash',
    ],
    ['the type was edited', withChange(2, () => ({ type: 'Noticed' })), 2, 'wrong-hash'],
    ['the id was edited', withChange(2, () => ({ eventId: fifth.eventId })), 2, 'wrong-hash'],
    [
      'metadata was edited',
      withChange(4, ({ metadata }) => ({ metadata: metadata.replace('architect', 'Architect') })),
      4,
      'wrong-hash',
    ],
    [
      'metadata is no envelope',
      withChange(4, () => ({ metadata: '{}' })),
      4,
      'unreadable-envelope',
    ],
    ['metadata is no JSON', withChange(4, () => ({ metadata: '' })), 4, 'unreadable-envelope'],
    ['an event is missing', [first, second, fourth, fifth], 3, 'gap'],
    [
      'an event was cut out and the rest moved up',
      renumbered([first, second, fourth, fifth]),
      3,
      'wrong-previous-hash',
    ],
    ['the first is missing', renumbered([second, third]), 1, 'wrong-previous-hash'],
    ['two were swapped', renumbered([first, third, second, fourth]), 2, 'wrong-previous-hash'],
    ['one was put in twice', renumbered([first, second, second, third]), 3, 'wrong-previous-hash'],
    [
      'the end was written anew, with hashes that fit',
      [first, second, ...rewritten.slice(2)],
      3,
      'wrong-previous-hash',
    ],
  ])('breaks where %s', (_, events, version, reason) => {
    expect(checkChain(events, start, owner, sha256)).toMatchObject({
      end: { version: version - 1 },
      broken: { version, reason },
    });
  });

  test.each([{ context: 'c-2' }, { workspace: 'other' }])(
    'breaks at its first event if checked for another owner: %p',
    (other) => {
      const { broken } = checkChain(chainOf(2), start, { ...owner, ...other }, sha256);
      expect(broken).toEqual({ version: 1, reason: 'wrong-hash' });
    },
  );
});
