import fc from 'fast-check';

import {
  contextAfter,
  contextCommands,
  contextFrom,
  did,
  recordContextEvent,
  specify,
} from '#testing';

import { contextDecider } from '../context.decider.js';
import { ContextState } from '../context-state.js';
import { rebase } from '../lineage/lineage.js';
import { renderSummaries } from './summary.document.js';
import { maxSources, summaryAdded } from './summary.events.js';
import { summarizedIn, summarizedKey, summaryFacts } from './summary.item.js';

const { given } = specify(contextDecider, recordContextEvent);

const created = did('ContextCreated', {});
const first = {
  summaryId: 'S-1',
  text: 'The schema was chosen.',
  covers: { from: 2, to: 9 },
  sources: ['step-output:design'],
  model: 'm',
  promptHash: 'a'.repeat(64),
  tokens: { input: 900, output: 90 },
};
const second = { ...first, summaryId: 'S-2', covers: { from: 2, to: 17 }, previous: 'S-1' };
const add = (data: typeof first & { previous?: string }, sourceLineage: number | null = null) =>
  ({ type: 'AddSummary', data, sourceLineage, lineage: null }) as const;

describe('summaries', () => {
  it('continue each other, each to a later version', () => {
    given(created).when(add(first)).then(did('SummaryAdded', first));
    given(created, did('SummaryAdded', first)).when(add(second)).then(did('SummaryAdded', second));
  });

  it('are added once, even with another text', () => {
    given(created, did('SummaryAdded', first)).when(add(first)).thenNothing();
    const other = { ...first, summaryId: 'S-9', text: 'Other words.' };
    given(created, did('SummaryAdded', first)).when(add(other)).thenNothing();
    given(created, did('SummaryAdded', first), did('SummaryAdded', second))
      .when(add({ ...second, summaryId: 'S-9' }))
      .thenNothing();
    const shorter = { ...second, covers: { from: 2, to: 9 } };
    given(created, did('SummaryAdded', first)).when(add(shorter)).thenNothing();
  });

  it('are not added if the previous one is unknown', () => {
    given(created).when(add(second)).thenNothing();
  });

  it('are not added if a restore has undone the summarized events', () => {
    given(created)
      .when({ ...add(first), lineage: 12 })
      .thenNothing();
    given(created)
      .when({ ...add(first, 12), lineage: 12 })
      .then(did('SummaryAdded', first));
  });

  it('are in the document as written, oldest first', () => {
    const after = contextAfter(created, did('SummaryAdded', first), did('SummaryAdded', second));
    const at = (version: number) => ({
      timestamp: `2026-01-01T00:00:0${version}.000Z`,
      version,
    });
    expect(renderSummaries([...after.values()].toReversed())).toEqual([
      { ...first, ...at(2) },
      { ...second, ...at(3) },
    ]);
  });

  it('do not change or remove the summarized items', () => {
    const decided = did('DecisionRecorded', { decisionId: 'DEC-001', decision: 'jose' });
    const output = did('StepOutputAdded', { stepId: 'design', output: { files: ['a.ts'] } });
    const before = [...contextAfter(created, decided, output).values()];
    const after = contextAfter(created, decided, output, did('SummaryAdded', first));
    expect([...after.values()].filter(({ kind }) => !kind.startsWith('summar'))).toEqual(before);
  });

  it('are inherited by forks with versions of the fork, and continued there', () => {
    const at12 = contextAfter(
      created,
      ...Array.from({ length: 10 }, () => did('StepOutputAdded', { stepId: 's', output: 1 })),
      did('SummaryAdded', first),
    );
    const base = { contextId: 'source', version: 14, forked: true };
    const fork = rebase(base, [], at12.values());
    const item = fork.get('summary', 'S-1');
    expect(item && summaryFacts(item)).toMatchObject({
      covers: { from: -12, to: -5 },
      version: -2,
    });
    expect(renderSummaries([...fork.values()])).toMatchObject([
      { covers: { from: 1, to: 1 }, version: 1 },
    ]);
    const { kind, key } = summarizedKey;
    expect(summarizedIn(fork.get(kind, key))).toEqual({ summaryId: 'S-1', to: -5 });
    const next = { ...first, summaryId: 'S-2', covers: { from: -12, to: 0 }, previous: 'S-1' };
    expect(contextDecider.decide(add(next), ContextState.from([...fork.values(), open]))).toEqual([
      did('SummaryAdded', next),
    ]);
  });

  it('always cover more than the previous one, in any context', () => {
    fc.assert(
      fc.property(contextCommands, (commands) => {
        const { state } = contextFrom(commands);
        const summaries = [...state.values()]
          .filter(({ kind }) => kind === 'summary')
          .map(summaryFacts)
          .toSorted((left, right) => left.version - right.version);
        summaries.forEach(({ covers, previous }, at) => {
          const before = summaries[at - 1];
          expect(previous).toBe(before?.summaryId);
          if (before) expect(covers.to).toBeGreaterThan(before.covers.to);
        });
        const { kind, key } = summarizedKey;
        expect(summarizedIn(state.get(kind, key))?.summaryId).toBe(summaries.at(-1)?.summaryId);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the payload of a summary', () => {
  const reads = (said: object) => summaryAdded.schema.safeParse({ ...first, ...said }).success;

  it.each([
    ['no text', { text: '' }],
    ['no source', { sources: [] }],
    ['too many sources', { sources: Array.from({ length: maxSources + 1 }, String) }],
    ['versions that end before they begin', { covers: { from: 3, to: 2 } }],
    ['an invalid hash', { promptHash: 'abc' }],
    ['negative tokens', { tokens: { input: -1, output: 0 } }],
  ])('cannot have %s', (_, said) => {
    expect(reads({})).toBe(true);
    expect(reads(said)).toBe(false);
  });
});

const open = {
  kind: 'life',
  key: '',
  fromVersion: 1,
  state: { status: 'open', since: '', by: '' },
  body: undefined,
} as const;
