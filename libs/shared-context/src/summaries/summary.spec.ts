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
  it('go on from one another, each as far as none before it', () => {
    given(created).when(add(first)).then(did('SummaryAdded', first));
    given(created, did('SummaryAdded', first)).when(add(second)).then(did('SummaryAdded', second));
  });

  it('are added once, whoever comes second and whatever a model told it', () => {
    given(created, did('SummaryAdded', first)).when(add(first)).thenNothing();
    const other = { ...first, summaryId: 'S-9', text: 'Other words.' };
    given(created, did('SummaryAdded', first)).when(add(other)).thenNothing();
    given(created, did('SummaryAdded', first), did('SummaryAdded', second))
      .when(add({ ...second, summaryId: 'S-9' }))
      .thenNothing();
    const shorter = { ...second, covers: { from: 2, to: 9 } };
    given(created, did('SummaryAdded', first)).when(add(shorter)).thenNothing();
  });

  it('that go on from one that is not there are not added', () => {
    given(created).when(add(second)).thenNothing();
  });

  it('of what a restore has taken back since are not added', () => {
    given(created)
      .when({ ...add(first), lineage: 12 })
      .thenNothing();
    given(created)
      .when({ ...add(first, 12), lineage: 12 })
      .then(did('SummaryAdded', first));
  });

  it('stand in the document as they were written, oldest first', () => {
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

  it('take nothing away and change nothing of what they tell', () => {
    const decided = did('DecisionRecorded', { decisionId: 'DEC-001', decision: 'jose' });
    const output = did('StepOutputAdded', { stepId: 'design', output: { files: ['a.ts'] } });
    const before = [...contextAfter(created, decided, output).values()];
    const after = contextAfter(created, decided, output, did('SummaryAdded', first));
    expect([...after.values()].filter(({ kind }) => !kind.startsWith('summar'))).toEqual(before);
  });

  it('are inherited by forks, counted as the fork counts, and gone on from there', () => {
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

  it('never reach back behind one another, in any context', () => {
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

describe('what a summary says', () => {
  const reads = (said: object) => summaryAdded.schema.safeParse({ ...first, ...said }).success;

  it.each([
    ['no text', { text: '' }],
    ['no source', { sources: [] }],
    ['too many sources', { sources: Array.from({ length: maxSources + 1 }, String) }],
    ['versions that end before they begin', { covers: { from: 3, to: 2 } }],
    ['a hash that is none', { promptHash: 'abc' }],
    ['tokens that nobody counts', { tokens: { input: -1, output: 0 } }],
  ])('is not %s', (_, said) => {
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
