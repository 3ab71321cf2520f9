import fc from 'fast-check';

import { viewKinds } from '#context-views';
import { ContextReader } from '#read-models';
import { type Item } from '#shared-context';
import { contextCommands, contextFrom, did, useTestStore } from '#testing';
import { VisibilityFilter, FilteredReader, builtInPolicies } from '#visibility';

import { DerivedMarks } from '../transformations/derived-marks.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { PreviousVersion } from './previous-version.js';

const workspace = 'default';
const reader = { audience: 'x', agentId: 'a' };
const reviewer = new VisibilityFilter(builtInPolicies['reviewer'] ?? { show: [] }, reader);

const filters = [
  undefined,
  ...Object.values(builtInPolicies).map((policy) => new VisibilityFilter(policy, reader)),
  new VisibilityFilter({ show: [{ types: ['*'], authors: ['a'] }] }, reader),
];

const phase = did('PhaseStarted', { phase: 'p' });
const histories = fc.record({
  commands: contextCommands,
  back: fc.nat(20),
  authors: fc.infiniteStream(fc.constantFrom('a', 'b')),
});

describe('the previous version of a context', () => {
  const test = useTestStore();

  const filteredReader = () => {
    const { db, store } = test;
    return new FilteredReader(new ContextReader(db, store), store, db);
  };
  const itemsOf = async (
    contextId: string,
    filter: VisibilityFilter | undefined,
    version?: number,
  ) => {
    const id = { workspace, contextId };
    const { state } = await filteredReader().read({ id, filter, version }, { kinds: viewKinds });
    return [...state.values()].filter(isViewed);
  };
  const previousOf = async (
    contextId: string,
    filter: VisibilityFilter | undefined,
    version: number,
  ) => {
    const site = { id: { workspace, contextId }, version, filter };
    const marks = new DerivedMarks(new TransformationStore(test.db));
    const previous = new PreviousVersion(filteredReader(), test.store, marks);
    return previous.find(site, await itemsOf(contextId, filter));
  };

  /** Yields the context and its version after each event of random histories. */
  async function* growing(contexts: number) {
    const runs = fc.sample(histories, { numRuns: contexts, seed: 20261121 });
    for (const [n, { commands, back, authors }] of runs.entries()) {
      const contextId = `c-${n}`;
      await test.history.append(contextId, did('ContextCreated', { preferences: { a: 1 } }));
      const events = contextFrom(commands).events.slice(1, 25);
      const restored = did('ContextRestored', { version: Math.max(1, events.length - back) });
      let version = 1;
      for (const { type, data, visibility } of [...events, restored, phase]) {
        const event = did(type, data, visibility);
        await test.history.append(contextId, { ...event, principal: authors.next().value ?? 'a' });
        version += 1;
        yield { contextId, version };
      }
    }
  }

  it('equals a read at that version, for every audience, after every event and every restore', async () => {
    let [known, hidden] = [0, 0];
    for await (const { contextId, version } of growing(4)) {
      for (const filter of filters) {
        const found = await previousOf(contextId, filter, version);
        if (found) known += 1;
        else hidden += 1;
        expect(found ? null : filter?.liveDecisionsOnly).not.toBe(false);
        const then = await itemsOf(contextId, filter, version - 1);
        if (found) expect(inOrder(found.filter(isViewed))).toEqual(inOrder(then));
      }
    }
    expect(known).toBeGreaterThan(hidden);
    expect(hidden).toBeGreaterThan(0);
  }, 60_000);

  it('is undefined at the first version, and for a missing context', async () => {
    await test.history.append('c', did('ContextCreated', {}));
    expect(await previousOf('c', undefined, 1)).toBeUndefined();
    expect(await previousOf('none', undefined, 2)).toBeUndefined();
  });

  it('is undefined if a decision that was visible then is no longer live', async () => {
    await test.history.append(
      'c',
      did('ContextCreated', {}),
      did('DecisionRecorded', { decisionId: 'D', topic: 't', decision: 'd' }),
      did('DecisionRecorded', { decisionId: 'E', topic: 't', decision: 'e', supersedes: 'D' }),
    );
    expect(await previousOf('c', reviewer, 3)).toBeUndefined();
    const unfiltered = await previousOf('c', undefined, 3);
    expect(unfiltered?.map(({ kind, key }) => `${kind} ${key}`)).toContain('decision D');
    await test.history.append('c', did('PhaseStarted', { phase: 'p' }));
    expect(await previousOf('c', reviewer, 4)).toEqual(await itemsOf('c', reviewer, 3));
  });
});

function isViewed({ kind }: Item): boolean {
  return viewKinds.includes(kind);
}

function inOrder(items: readonly Item[]): readonly Item[] {
  const nameOf = ({ kind, key }: Item) => `${kind} ${key}`;
  return items.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
}
