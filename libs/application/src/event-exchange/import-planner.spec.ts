import { createSecretKey } from 'node:crypto';

import fc from 'fast-check';

import { DomainError, InMemoryEventStore, openEnvelope } from '#event-sourcing';
import { type SignedHead } from '#interop';
import { contextStream } from '#shared-context';
import { runAtOnce } from '#slices';
import { type FileEvent, writeExport } from '#testing';

import { type Principal } from '../access/principal.js';
import { ExportSignatures } from './export-signatures.js';
import { ImportConflictError } from './import.errors.js';
import { ImportPlanner } from './import-planner.js';
import { readImport } from './read-import.js';

const serverWith = (seed: number, trusted: readonly string[] = []) =>
  new ExportSignatures(createSecretKey(Buffer.alloc(32, seed)), trusted);
const [here, stranger] = [serverWith(1), serverWith(2)];
const friend = serverWith(3, [here.key]);
const signed = (place: SignedHead) => here.sign(place);
const signedElsewhere = (place: SignedHead) => stranger.sign(place);

const importer: Principal = {
  name: 'importer',
  role: 'admin',
  isRoot: false,
  workspace: 'default',
  keyId: 'k',
  agentId: null,
  audiences: ['all'],
  actsFor: [],
  contexts: null,
  workflows: null,
  expiresAt: null,
};

const now = Date.parse('2026-06-01T00:00:00Z');

const output = (stepId: string, stated: FileEvent = {}): FileEvent => ({
  type: 'StepOutputAdded',
  data: { stepId, output: stepId },
  trust: 'agent',
  ...stated,
});
const events: readonly FileEvent[] = [{}, output('plan'), output('build', { principal: 'bo' })];
const file = writeExport({ a: events, b: events.slice(0, 2) }, signed);
const unsigned = writeExport({ a: events, b: events.slice(0, 2) });

type ImportOptions = Readonly<{
  as?: string;
  signatures?: ExportSignatures;
  principal?: Principal;
}>;

/** Imports a file into a store as the handler does. */
async function importInto(store: InMemoryEventStore, text: string, options: ImportOptions = {}) {
  const { as, signatures = here, principal = importer } = options;
  const planner = new ImportPlanner(store, signatures, { now: () => now });
  const plans = await planner.plan(runAtOnce(readImport(text)), { principal, as });
  for (const { id, version, events: fresh } of plans)
    if (fresh.length > 0)
      await store.append(contextStream(id), fresh, version === 0 ? 'no-stream' : version);
  return plans.map(({ id, skipped, isSigned, events: { length } }) => ({
    context: id.contextId,
    imported: length,
    skipped,
    isSigned,
  }));
}

async function storedIn(store: InMemoryEventStore, contextId: string) {
  const stored = await store.readStream(contextStream({ workspace: 'default', contextId }), {
    limit: 100,
  });
  return stored.map(({ eventId, data, metadata }) => ({
    eventId,
    data,
    ...openEnvelope(metadata),
  }));
}

/** Removes the lines for which `isLeftOut` returns true, and updates the closing line. */
function without(text: string, isLeftOut: (line: string, at: number) => boolean): string {
  const lines = text.trimEnd().split('\n').slice(0, -1);
  const rest = lines.filter((line, at) => !isLeftOut(line, at));
  const found = rest.flatMap((line) => {
    const value = JSON.parse(line);
    return value.type ? [value] : [];
  });
  const contexts = new Set(found.map(({ contextId }) => contextId)).size;
  const lastHash = found.at(-1)?.metadata.hash ?? null;
  const end = { end: { contexts, events: found.length, lastHash } };
  return [...rest, JSON.stringify(end)].join('\n');
}

/**
 * Expects that a changed file is refused, or that its events are the original ones if it counts as signed, and events
 * of the importer otherwise.
 */
async function expectNothingForged(text: string): Promise<void> {
  const store = new InMemoryEventStore();
  let imported: Awaited<ReturnType<typeof importInto>>;
  try {
    imported = await importInto(store, text);
  } catch (error) {
    expect(error).toBeInstanceOf(DomainError);
    return;
  }
  const original = new InMemoryEventStore();
  await importInto(original, file);
  for (const { context, isSigned } of imported) {
    const stored = await storedIn(store, context);
    const authors = new Set(stored.map(({ principal }) => principal));
    if (isSigned)
      expect(stored).toEqual((await storedIn(original, context)).slice(0, stored.length));
    else expect([...authors]).toEqual(['importer']);
  }
}

describe('the import of a file', () => {
  it('stores the events unchanged if this server or a trusted one has signed them', async () => {
    for (const signatures of [here, friend]) {
      const store = new InMemoryEventStore();
      expect(await importInto(store, file, { signatures })).toEqual([
        { context: 'a', imported: 3, skipped: 0, isSigned: true },
        { context: 'b', imported: 2, skipped: 0, isSigned: true },
      ]);
      const authors = (await storedIn(store, 'a')).map(({ principal, origin }) => [
        principal,
        origin,
      ]);
      expect(authors).toEqual([
        ['ada', null],
        ['ada', null],
        ['bo', null],
      ]);
    }
  });

  it.each([
    ['nobody', unsigned],
    ['a stranger', writeExport({ a: events, b: events.slice(0, 2) }, signedElsewhere)],
  ])('makes the events those of the importer if %s has signed them', async (_, text) => {
    const store = new InMemoryEventStore();
    expect(await importInto(store, text)).toMatchObject([{ isSigned: false }, { isSigned: false }]);
    const original = new InMemoryEventStore();
    await importInto(original, file);
    const [mine, theirs] = [await storedIn(store, 'a'), await storedIn(original, 'a')];
    for (const [at, event] of mine.entries()) {
      const claimed = theirs[at] ?? event;
      expect(event).toEqual({
        ...claimed,
        hash: event.hash,
        previousHash: event.previousHash,
        principal: 'importer',
        origin: { agentId: claimed.principal, timestamp: claimed.recordedAt },
      });
    }
  });

  it('limits the trust of unsigned events to that of the importer, and keeps their origins', async () => {
    const store = new InMemoryEventStore();
    const origin = { agentId: 'carol', timestamp: '2025-01-01T00:00:00Z' };
    const text = writeExport({
      c: [{ trust: 'human' }, output('plan', { trust: 'web', origin })],
    });
    await importInto(store, text, { principal: { ...importer, role: 'agent' } });
    expect(await storedIn(store, 'c')).toMatchObject([
      { trust: 'agent', origin: { agentId: 'ada' } },
      { trust: 'web', origin },
    ]);
    await importInto(store, text, { principal: { ...importer, role: 'agent' }, as: 'd' });
    expect((await storedIn(store, 'd')).map(({ trust }) => trust)).toEqual(['agent', 'web']);
  });

  it('may be repeated without signatures, also in parts', async () => {
    const store = new InMemoryEventStore();
    await importInto(
      store,
      without(unsigned, (line) => /"version":3|"b"/.test(line)),
    );
    const rest = without(unsigned, (line) => /"contextId":"a","version":[12]/.test(line));
    expect(await importInto(store, rest)).toMatchObject([{ imported: 1 }, { imported: 2 }]);
    for (const repeated of [unsigned, rest])
      expect(await importInto(store, repeated)).toMatchObject([{ imported: 0 }, { imported: 0 }]);
  });

  it('skips stored events, signed or not', async () => {
    const store = new InMemoryEventStore();
    await importInto(store, file);
    expect(await importInto(store, unsigned)).toMatchObject([
      { imported: 0, skipped: 3 },
      { imported: 0, skipped: 2 },
    ]);
  });

  it('makes unsigned later events of a signed context those of the importer', async () => {
    const store = new InMemoryEventStore();
    await importInto(store, file);
    const decision = { decisionId: 'D', decision: 'pay him', topic: 'pay' };
    const forged = { type: 'DecisionRecorded', data: decision, principal: 'architect' };
    const longer = writeExport({ a: [...events, forged] });
    expect(await importInto(store, longer)).toMatchObject([{ imported: 1, skipped: 3 }]);
    expect((await storedIn(store, 'a')).at(-1)).toMatchObject({
      principal: 'importer',
      origin: { agentId: 'architect' },
    });
  });

  it('refuses a history that differs from the stored one', async () => {
    const store = new InMemoryEventStore();
    await importInto(store, file);
    const other = writeExport({ a: [{ principal: 'eve' }, ...events.slice(1), output('check')] });
    for (const text of [other, without(other, (line) => /"version":[123],/.test(line))])
      await expect(importInto(store, text)).rejects.toBeInstanceOf(ImportConflictError);
  });

  it.each([
    ['more events before it than exist', [{ index: 4_095, count: 4_096 }], 1],
    ['one more event', [undefined, { index: 2, count: 3 }], 2],
    ['an event that is an append of its own', [undefined, { index: 1, count: 2 }], 2],
    [
      'an event of a shorter append',
      [
        { index: 0, count: 2 },
        { index: 1, count: 3 },
      ],
      2,
    ],
    ['its first event twice', [undefined, { index: 0, count: 3 }, { index: 2, count: 3 }], 3],
  ])('refuses an event whose id implies %s', async (_, places, line) => {
    const placed = places.map((inAppend, at) => ({
      ...events[at],
      ...(inAppend ? { place: inAppend } : {}),
    }));
    for (const text of [writeExport({ a: placed }), writeExport({ a: placed }, signed)])
      await expect(importInto(new InMemoryEventStore(), text)).rejects.toMatchObject({
        issues: [{ pointer: `/${line}/eventId` }],
      });
  });

  it('accepts a file that begins or ends within an append, or continues after a part of one', async () => {
    const fullAppend = [0, 1, 2].map((index) => ({ ...events[index], place: { index, count: 3 } }));
    const store = new InMemoryEventStore();
    const all = writeExport({ a: fullAppend });
    for (const text of [all, without(all, (line) => /"version":1,/.test(line))])
      expect(await importInto(store, text)).toHaveLength(1);
    const cut = [
      ...fullAppend.slice(0, 2),
      output('check'),
      { ...output('x'), place: { index: 0, count: 2 } },
    ];
    expect(await importInto(new InMemoryEventStore(), writeExport({ a: cut }))).toMatchObject([
      { imported: 4 },
    ]);
  });

  it('refuses the signature of a trusted key that does not match the event before it', async () => {
    const value = { value: stranger.sign({ ...place('a'), hash: '' }).value };
    const forged = writeExport({ a: events }, (signedPlace) => ({
      ...here.sign(signedPlace),
      ...value,
    }));
    await expect(importInto(new InMemoryEventStore(), forged)).rejects.toMatchObject({
      issues: [{ pointer: '/4/signature/value' }],
    });
  });

  it('stores no forged event of a file with any changed byte', async () => {
    const change = fc.record({
      at: fc.nat(file.length - 1),
      text: fc.oneof(fc.constantFrom('', ' ', '"', '0', 'x', '\n', '{', '}'), fc.string()),
    });
    await fc.assert(
      fc.asyncProperty(change, ({ at, text }) =>
        expectNothingForged(file.slice(0, at) + text + file.slice(at + 1)),
      ),
    );
  });

  it('stores no forged event of a file with missing or reordered lines or an early end', async () => {
    const count = file.trimEnd().split('\n').length - 1;
    const left = fc.uniqueArray(fc.integer({ min: 1, max: count - 1 }));
    await fc.assert(
      fc.asyncProperty(left, (lines) =>
        expectNothingForged(without(file, (_, at) => lines.includes(at))),
      ),
    );
    for (let end = 1; end <= count; end++)
      await expectNothingForged(without(file, (_, at) => at >= end));
    const lines = file.trimEnd().split('\n');
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(lines.slice(1, -1)), (some) =>
        expectNothingForged(without([lines[0], ...some, lines.at(-1)].join('\n'), () => false)),
      ),
    );
  });

  it('counts as unsigned if the file was cut after an event without a signature', async () => {
    for (const [end, isSigned] of [2, 3, 4, 5].map((at) => [at, at === 5] as const)) {
      const text = without(file, (_, at) => at >= end);
      expect(await importInto(new InMemoryEventStore(), text)).toMatchObject([{ isSigned }]);
    }
  });

  it('checks the signatures of joined exports of two servers per context', async () => {
    const lines = (text: string) => text.trimEnd().split('\n').slice(0, -1);
    const mine = lines(writeExport({ a: events }, signed));
    const theirs = lines(writeExport({ b: events }, signedElsewhere));
    for (const joined of [
      [...mine, ...theirs.slice(1)],
      [...theirs, ...mine.slice(1)],
    ]) {
      const store = new InMemoryEventStore();
      const text = without([...joined, '{}'].join('\n'), () => false);
      const imported = await importInto(store, text);
      expect(imported.filter(({ isSigned }) => isSigned)).toMatchObject([{ context: 'a' }]);
      expect((await storedIn(store, 'b')).map(({ principal }) => principal)).toEqual(
        events.map(() => 'importer'),
      );
    }
  });
});

function place(contextId: string): SignedHead {
  return { workspace: 'default', contextId, version: 1, hash: '' };
}
