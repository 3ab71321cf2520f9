import fc from 'fast-check';

import { did, recordContextEvent } from '#testing';

import { checkConsistency } from '../consistency/check-consistency.js';
import { type NewContextEvent } from '../context.events.js';
import { ContextState } from '../context-state.js';
import { renderDecisions } from '../decisions/decision.document.js';
import { type Item } from '../item.js';
import { citedDecisions } from './cited-decisions.js';
import { Staleness } from './staleness.js';

type Relation = 'requires' | 'implies' | 'enables' | 'relates';

function decided(decisionId: string, links: readonly string[] = [], more: object = {}) {
  const relatedDecisions = links.map((link) => {
    const [cited = '', relation = 'requires'] = link.split(' ');
    // The links in this file use only these relations.
    return { decisionId: cited, relation: relation as Relation };
  });
  return did('DecisionRecorded', { decisionId, decision: decisionId, relatedDecisions, ...more });
}

function after(...events: readonly NewContextEvent[]): ContextState {
  return [did('ContextCreated', {}), ...events].reduce(
    (state, event, at) => state.apply(recordContextEvent(event, at + 1)),
    ContextState.from([]),
  );
}

function pathsIn(state: ContextState) {
  const stale = renderDecisions([...state.values()]).filter((decision) => decision['stale']);
  return Object.fromEntries(stale.map((each) => [each['decisionId'], each['stalePath']]));
}

const store = { topic: 'store' };
const chain = [
  decided('D1', [], store),
  decided('D2', ['D1 enables']),
  decided('D3', ['D2 requires']),
  decided('D4', ['D3 implies']),
];
const superseding = (links: readonly string[] = []) =>
  decided('D9', links, { ...store, supersedes: 'D1' });

describe('a decision that depends on a superseded one', () => {
  it('is stale at any distance, with the path to the superseded decision', () => {
    expect(pathsIn(after(...chain))).toEqual({});
    expect(pathsIn(after(...chain, superseding()))).toEqual({
      D2: ['D1'],
      D3: ['D2', 'D1'],
      D4: ['D3', 'D2', 'D1'],
    });
  });

  it('is not stale if the relation is "relates", directly or transitively', () => {
    const others = [
      decided('R', ['D1 relates']),
      decided('S', ['R']),
      decided('T', ['D4 relates']),
    ];
    expect(Object.keys(pathsIn(after(...chain, ...others, superseding())))).toEqual([
      'D2',
      'D3',
      'D4',
    ]);
  });

  it('has the shortest path', () => {
    const short = decided('D5', ['D4', 'D2']);
    expect(pathsIn(after(...chain, short, superseding()))['D5']).toEqual(['D2', 'D1']);
  });

  it('is not stale if it is the superseding decision, by any path', () => {
    const state = after(...chain, superseding(['D4', 'D1']), decided('D10', ['D9']));
    expect(Object.keys(pathsIn(state))).toEqual(['D2', 'D3', 'D4']);
  });

  it('is stale as the superseding decision if it depends on another superseded one', () => {
    const other = [decided('E1', [], { topic: 'e' }), decided('D3', ['D1', 'E1'])];
    const events = [decided('D1', [], store), ...other, superseding(['D3'])];
    const both = after(...events, decided('E2', [], { topic: 'e', supersedes: 'E1' }));
    expect(pathsIn(both)).toEqual({ D3: ['D1'], D9: ['D3', 'E1'] });
  });

  it('is reported with its path by the consistency check', () => {
    const state = after(...chain, superseding());
    const { findings } = checkConsistency({ items: state.values(), document: {} });
    expect(findings.filter(({ code }) => code === 'work-stale')).toMatchObject([
      { ref: 'decision:D2', detail: 'it depends on decision D1, which D9 has superseded' },
      {
        ref: 'decision:D3',
        detail: 'it depends on decision D2, which depends on decision D1, which D9 has superseded',
      },
      { ref: 'decision:D4', severity: 'warning' },
    ]);
  });

  it('is found by its definition in any graph, including cycles from imports', () => {
    const item = (key: string, links: readonly string[], status: string): Item => ({
      kind: 'decision',
      key,
      fromVersion: 1,
      state: { status },
      body: {
        relatedDecisions: links.map((decisionId) => ({ decisionId, relation: 'requires' })),
      },
    });
    const id = fc.constantFrom(...'abcdefgh');
    const decisions = fc.uniqueArray(
      fc.record({
        key: id,
        links: fc.array(id, { maxLength: 4 }),
        status: fc.constantFrom('live', 'superseded', 'rejected'),
      }),
      { selector: ({ key }) => key },
    );
    fc.assert(
      fc.property(decisions, (all) => {
        const items = all.map(({ key, links, status }) => item(key, links, status));
        const staleness = Staleness.of(items);
        for (const each of items)
          expect([each.key, staleness.pathOf(each) !== undefined]).toEqual([
            each.key,
            reaches(each, items, new Set()),
          ]);
      }),
    );
  });

  it('is found with one read of each decision, for any length of the chain', () => {
    let reads = 0;
    const count = 20_000;
    const items = Array.from({ length: count }, (_, n): Item => {
      const related = [{ decisionId: `D-${n - 1}`, relation: 'requires' }];
      return {
        kind: 'decision',
        key: `D-${n}`,
        fromVersion: n,
        state: { status: n === 0 ? 'superseded' : 'live' },
        get body() {
          reads += 1;
          return { relatedDecisions: related };
        },
      };
    });
    const staleness = Staleness.of(items);
    expect(reads).toBeLessThanOrEqual(count);
    expect(staleness.pathOf(items.at(-1) ?? assertNever())?.length).toBe(count - 1);
  });

  it('has a shortened long path with its full length', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
    const shown = renderDecisions(chainOf(ids)).map(({ stalePath, stalePathLength }) => [
      stalePath,
      stalePathLength,
    ]);
    expect(shown.slice(7)).toEqual([
      [['g', 'f', 'e', 'd', 'c', 'b', 'a'], undefined],
      [['h', 'g', 'f', 'e', 'd', 'c', 'b', 'a'], undefined],
      [['i', 'h', 'g', 'f', 'd', 'c', 'b', 'a'], 9],
    ]);
    const { findings } = checkConsistency({ items: chainOf(ids), document: {} });
    expect(findings.at(-1)?.detail).toContain(
      'decision f, which depends on … (1 more), which depends on decision d, which',
    );
  });

  it('takes bounded space in documents and checks, for any length of the chain', () => {
    const [count, idLength] = [5_000, 200];
    const ids = Array.from({ length: count }, (_, n) => String(n).padStart(idLength, 'x'));
    const items = chainOf(ids);
    const maxLength = count * idLength * 12;
    expect(JSON.stringify(renderDecisions(items)).length).toBeLessThan(maxLength);
    expect(JSON.stringify(checkConsistency({ items, document: {} })).length).toBeLessThan(
      maxLength,
    );
  });
});

/** The definition of stale: a cited decision is superseded, or reaches a superseded one. */
function reaches(item: Item, all: readonly Item[], visited: Set<string>): boolean {
  return citedDecisions(item).some(({ key }) => {
    const cited = all.find((each) => each.key === key);
    if (!cited) return false;
    if (cited.state['status'] === 'superseded') return true;
    if (visited.has(key)) return false;
    visited.add(key);
    return reaches(cited, all, visited);
  });
}

/** A chain in which each decision depends on the previous one, and the first is superseded. */
function chainOf(ids: readonly string[]): readonly Item[] {
  return ids.map((key, n) => ({
    kind: 'decision',
    key,
    fromVersion: n + 1,
    state: { status: n === 0 ? 'superseded' : 'live' },
    body: {
      decisionId: key,
      relatedDecisions: [{ decisionId: ids[n - 1] ?? '', relation: 'requires' }],
    },
  }));
}

function assertNever(): never {
  throw new Error('there are decisions');
}
