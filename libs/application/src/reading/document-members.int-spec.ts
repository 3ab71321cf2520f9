import { createSecretKey } from 'node:crypto';

import fc from 'fast-check';

import { documentMembers } from '#shared-context';
import {
  contextCommands,
  contextFrom,
  did,
  listenToStatements,
  projectAll,
  sized,
  useTestStore,
} from '#testing';
import { builtInPolicies } from '#visibility';

import { rootPrincipal } from '../authentication/authentication.js';
import { FindContextHandler, FindVersionHandler } from '../contexts/context.handlers.js';
import { FindContextQuery, FindVersionQuery } from '../contexts/context.queries.js';
import { DocumentReproducer } from '../receipt-replay/document-reproducer.js';
import { Receipts } from '../receipts/receipts.js';
import {
  IsLargeContextHandler,
  IsLargeContextQuery,
  WriteGrowth,
} from './is-large-context.handler.js';
import { testDocuments } from './documents.fixture.js';

const principal = rootPrincipal('default');
const identity = ['_version', 'contextId', 'workspace'];

describe('members of a document', () => {
  const test = useTestStore();

  const open = () => {
    const { reader, contexts, documents, families } = testDocuments(test);
    const receipts = new Receipts(createSecretKey(Buffer.alloc(32, 1)));
    return {
      documents: new FindContextHandler(contexts, documents, families, receipts),
      versions: new FindVersionHandler(contexts, documents, families),
      reproducer: new DocumentReproducer(contexts, documents, families),
      sizes: new IsLargeContextHandler(reader, test.db, new WriteGrowth()),
      receipts,
    };
  };
  type FindRequest = Omit<FindContextQuery['request'], 'principal'>;
  const find = (request: FindRequest) =>
    open().documents.execute(new FindContextQuery({ principal, ...request }));

  const grow = async (contextId: string, outputs: number) => {
    await test.history.append(contextId, did('ContextCreated', { title: 'Long' }));
    await test.history.append(contextId, did('GlobalContextSet', { values: { stack: 'node' } }));
    for (let from = 0; from < outputs; from += 100)
      await test.history.append(
        contextId,
        ...Array.from({ length: 100 }, (_, n) =>
          did('StepOutputAdded', { stepId: `s-${from + n}`, output: 'o'.repeat(1_500) }),
        ),
      );
    await test.history.append(contextId, did('StepStarted', { stepId: 'last' }));
  };

  it('cost the same with 100 and 1,000 outputs in the context', async () => {
    await grow('small', 100);
    await grow('large', 1_000);
    await projectAll(test.db, test.store);
    const sent = listenToStatements(test.pool);
    for (const parts of [
      ['currentState'],
      ['globalContext'],
      ['size', 'title', '_lastModifiedAt'],
    ]) {
      const costs = [];
      for (const contextId of ['small', 'large', 'small', 'large'])
        costs.push(await sent.costs(() => find({ contextId, parts })));
      const [, , small, large] = costs;
      const { statements, rows } = small ?? {};
      expect({ parts, ...large }).toMatchObject({ parts, statements, rows });
      expect(large?.characters).toBeLessThan(2_000);
    }
  });

  it('show the steps of agents whose names are not valid Unicode', async () => {
    const actingFor = 'a\ud800b';
    const events = [
      did('StepStarted', { stepId: 'runs' }),
      did('StepStarted', { stepId: 'ended' }),
      did('StepOutputAdded', { stepId: 'ended', output: { status: 'started' } }),
      did('StepFailed', { stepId: 'failed', reason: 'r' }),
    ].map((event) => ({ ...event, actingFor }));
    await test.history.append('surrogate', did('ContextCreated', {}), ...events);
    await projectAll(test.db, test.store);
    const steps = {
      activeSteps: ['runs'],
      failedSteps: [{ stepId: 'failed', agentId: actingFor }],
    };
    for (const asOf of [undefined, '5'])
      for (const parts of [['currentState'], ['failedSteps', 'currentState', 'outcome']])
        expect((await find({ contextId: 'surrogate', parts, asOf })).document).toMatchObject({
          currentState: steps,
        });
    const earlier = await find({ contextId: 'surrogate', parts: ['currentState'], asOf: '3' });
    expect(earlier.document).toMatchObject({ currentState: { activeSteps: ['runs', 'ended'] } });
  });

  it('read running and failed steps only if they show them', async () => {
    await grow('running', 100);
    await projectAll(test.db, test.store);
    const sent = listenToStatements(test.pool);
    const statements = async (member: string) =>
      (await sent.costs(() => find({ contextId: 'running', parts: [member] }))).statements;
    const [outcome, current] = [await statements('outcome'), await statements('currentState')];
    expect(outcome).toBeLessThan(current);
  });

  it('read no transformations if nothing was derived', async () => {
    await grow('plain', 100);
    await grow('derived', 100);
    const derivedValue = {
      path: 'p',
      value: 1,
      from: [],
      transformation: 't',
      transformationVersion: 1,
    };
    await test.history.append('derived', did('ValueDerived', derivedValue));
    await projectAll(test.db, test.store);
    const sent = listenToStatements(test.pool);
    const costs = [];
    for (const contextId of ['plain', 'derived'])
      for (const parts of [undefined, ['title'], ['derived']])
        costs.push(
          await sent.costs(() =>
            open().versions.execute(new FindVersionQuery({ principal, contextId, parts })),
          ),
        );
    const [plain = 0, title = 0, member = 0, ...derived] = costs.map((cost) => cost.statements);
    expect(member).toBe(title);
    expect(derived).toEqual([plain + 1, title, member + 1]);
  });

  it('load no payload that they do not show', async () => {
    await grow('c', 100);
    await projectAll(test.db, test.store);
    const sent = listenToStatements(test.pool);
    const { rows, characters } = await sent.costs(() =>
      find({ contextId: 'c', parts: ['agents'] }),
    );
    expect(rows).toBeGreaterThan(100);
    expect(characters / rows).toBeLessThan(700);
  });

  it('are large only if their items are many or have many bytes', async () => {
    await grow('c', 1_000);
    const values = { text: 'x'.repeat(600_000) };
    await test.history.append('c', did('PreferencesSet', { values }));
    await projectAll(test.db, test.store);
    const { sizes } = open();
    const isLarge = (members?: readonly string[], of = principal) =>
      sizes.execute(new IsLargeContextQuery(of, 'c', members));
    expect(await isLarge()).toBe(true);
    expect(await isLarge(['globalContext', 'currentState', 'title'])).toBe(false);
    expect(await isLarge(['globalContext', 'stepOutputs'])).toBe(true);
    expect(await isLarge(['userPreferences'])).toBe(true);
    expect(await isLarge(['agents'])).toBe(true);
    // The size of a context is not determined for a narrower audience.
    expect(await isLarge(['globalContext'], { ...principal, audiences: ['reviewer'] })).toBe(true);
    await test.history.append('c', did('ContextRestored', { version: 2 }));
    await projectAll(test.db, test.store);
    expect(await isLarge(['globalContext'])).toBe(true);
  });

  it.each([
    [1_500, false],
    [2_500, true],
  ])('belong to a large context if it has %i small items: %s', async (count, isLarge) => {
    const values = Object.fromEntries(Array.from({ length: count }, (_, n) => [`name-${n}`, n]));
    await test.history.append('c', did('ContextCreated', {}), did('PreferencesSet', { values }));
    await projectAll(test.db, test.store);
    const { sizes } = open();
    expect(await sizes.execute(new IsLargeContextQuery(principal, 'c'))).toBe(isLarge);
  });

  it('are the same as in the full document, for every audience and at any version', async () => {
    let contexts = 0;
    const audiences = ['all', ...Object.keys(builtInPolicies)];
    await fc.assert(
      fc.asyncProperty(
        contextCommands,
        fc.subarray([...documentMembers], { minLength: 1 }),
        fc.constantFrom(...audiences),
        fc.record({ isProjected: fc.boolean(), at: fc.nat() }),
        async (commands, members, audience, { isProjected, at }) => {
          const contextId = `c-${++contexts}`;
          const { events } = contextFrom(commands);
          await test.history.append(contextId, ...events);
          if (isProjected) await projectAll(test.db, test.store);
          const parts = members.toSorted();
          for (const asOf of [undefined, String(1 + (at % events.length))]) {
            const full = await find({ contextId, audience, asOf });
            const some = await find({ contextId, audience, asOf, parts });
            const names = new Set([...identity, ...parts]);
            const expected = Object.entries(full.document).filter(([name]) => names.has(name));
            expect(some.text).toBe(JSON.stringify(Object.fromEntries(expected)));
            expect(some.version).toBe(full.version);
            expect(some.tag).not.toBe(full.tag);
          }
        },
      ),
      { numRuns: sized(20, 60) },
    );
  }, 60_000);

  it('have different tags for each audience, and are reproduced from their receipts', async () => {
    await test.history.append('c', did('ContextCreated', { title: 'Tagged' }));
    const reads = [
      await find({ contextId: 'c' }),
      await find({ contextId: 'c', parts: ['title'] }),
      await find({ contextId: 'c', parts: ['status'] }),
      await find({ contextId: 'c', parts: ['title'], audience: 'reviewer' }),
      await find({ contextId: 'c', audience: 'reviewer' }),
    ];
    expect(new Set(reads.map(({ tag }) => tag)).size).toBe(reads.length);
    const { receipts, reproducer } = open();
    const [, title] = reads;
    const facts = receipts.open(title?.receipt ?? '');
    expect(facts?.parameters).toEqual({ parts: ['title'] });
    if (!facts) throw new Error('the receipt is not of this server');
    expect(await reproducer.render({ facts, filter: undefined, principal })).toBe(title?.text);
  });
});
