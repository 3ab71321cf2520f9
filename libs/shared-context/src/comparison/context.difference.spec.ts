import fc from 'fast-check';

import { contextCommands, contextFrom, did, recordContextEvent } from '#testing';

import { type NewContextEvent } from '../context.events.js';
import { touchedKeys } from '../context.fold.js';
import { ContextState } from '../context-state.js';
import { type Item, type ItemKey } from '../item.js';
import { type ItemKind } from '../item-kinds.js';
import { activityKinds, activityOf, advanceActivity } from '../steps/step.activity.js';
import { changedItems } from './changed-item.js';
import { type ContextDifference, compareContexts, isUnchanged } from './context.difference.js';

const nothing = ContextState.from([]);

function after(...events: readonly NewContextEvent[]): ContextState {
  return events.reduce(
    (state, event, at) => state.apply(recordContextEvent(event, at + 1)),
    nothing,
  );
}

/** `given(past).when(events)`: the difference that the events make. */
function given(...past: readonly NewContextEvent[]) {
  return {
    when: (...events: readonly NewContextEvent[]): ContextDifference =>
      compareContexts([...after(...past).values()], after(...past, ...events).values()),
  };
}

/** The parts of a difference that are not empty. */
function changedParts(difference: ContextDifference) {
  return Object.fromEntries(
    Object.entries(difference).filter(([, part]) => part !== null && Object.keys(part).length > 0),
  );
}

const created = did('ContextCreated', { title: 'Checkout', preferences: { tone: 'dry' } });
const decided = (decisionId: string, more: object = {}) =>
  did('DecisionRecorded', { decisionId, topic: 'storage', decision: `use ${decisionId}`, ...more });
const output = (stepId: string, value: string) => did('StepOutputAdded', { stepId, output: value });

describe('the difference between two states of a context', () => {
  it('contains everything if the context did not exist before', () => {
    expect(changedParts(given().when(created))).toEqual({
      created: expect.objectContaining({ title: 'Checkout', status: 'open' }),
      preferencesChanged: [{ key: 'tone', after: 'dry' }],
    });
  });

  it('contains a new decision and the superseded one', () => {
    const difference = given(created, decided('DEC-001')).when(
      decided('DEC-002', { supersedes: 'DEC-001' }),
    );
    expect(changedParts(difference)).toEqual({
      decisionsMade: [expect.objectContaining({ decisionId: 'DEC-002', live: true })],
      decisionsSuperseded: [
        {
          decisionId: 'DEC-001',
          before: expect.objectContaining({ live: true }),
          after: expect.objectContaining({ live: false, supersededBy: 'DEC-002' }),
        },
      ],
    });
  });

  it('contains an older decision that became stale', () => {
    const resting = did('DecisionRecorded', {
      decisionId: 'DEC-007',
      decision: 'pool connections',
      relatedDecisions: [{ decisionId: 'DEC-001', relation: 'requires' }],
    });
    const { decisionsStale } = given(created, decided('DEC-001'), resting).when(
      decided('DEC-002', { supersedes: 'DEC-001' }),
    );
    expect(decisionsStale).toMatchObject([
      { decisionId: 'DEC-007', before: { stale: false }, after: { stale: true } },
    ]);
  });

  it('distinguishes an approved decision from a rejected one', () => {
    const pending = [decided('DEC-001', { requiresApproval: true })] as const;
    const approved = given(created, ...pending).when(
      did('DecisionApproved', { decisionId: 'DEC-001', topic: 'storage' }),
    );
    expect(changedParts(approved)).toEqual({
      decisionsApproved: [
        expect.objectContaining({
          decisionId: 'DEC-001',
          after: expect.objectContaining({ status: 'live' }),
        }),
      ],
    });
    const rejected = given(created, ...pending).when(
      did('DecisionRejected', { decisionId: 'DEC-001', reason: 'no' }),
    );
    expect(changedParts(rejected)).toEqual({
      decisionsRejected: [
        expect.objectContaining({
          decisionId: 'DEC-001',
          after: expect.objectContaining({ status: 'rejected' }),
        }),
      ],
    });
  });

  it('contains a decision that was made and superseded in the range only as made', () => {
    const difference = given(created).when(
      decided('DEC-001'),
      decided('DEC-002', { supersedes: 'DEC-001' }),
    );
    expect(changedParts(difference)).toEqual({
      decisionsMade: [
        expect.objectContaining({ decisionId: 'DEC-001', status: 'superseded' }),
        expect.objectContaining({ decisionId: 'DEC-002', status: 'live' }),
      ],
    });
  });

  it('contains the outputs of a step before and after', () => {
    const { outputsAdded, outputsReplaced } = given(created, output('plan', 'a')).when(
      output('plan', 'b'),
      output('build', 'c'),
    );
    expect(outputsReplaced).toMatchObject([
      { stepId: 'plan', before: { output: 'a', version: 2 }, after: { output: 'b', version: 3 } },
    ]);
    expect(outputsAdded).toMatchObject([{ stepId: 'build', output: 'c' }]);
  });

  it('contains the change of a step, its failure, and the change of the current state', () => {
    const difference = given(created, did('StepStarted', { stepId: 'plan' })).when(
      did('StepFailed', { stepId: 'plan', reason: 'no network' }),
    );
    expect(changedParts(difference)).toEqual({
      currentState: {
        before: expect.objectContaining({ status: 'in_progress', activeAgent: 'tester' }),
        after: expect.objectContaining({ status: 'failed', activeAgent: null }),
      },
      stepsChanged: [
        {
          stepId: 'plan',
          before: expect.objectContaining({ status: 'started' }),
          after: expect.objectContaining({ status: 'failed' }),
          failure: { reason: 'no network', tried: null },
        },
      ],
    });
  });

  it('contains the output to which a name of an agent refers', () => {
    const named = (stepId: string) => did('StepOutputAdded', { stepId, output: 1, name: 'design' });
    expect(given(created, named('a')).when(named('b')).namedOutputsChanged).toEqual([
      {
        agentId: 'tester',
        name: 'design',
        before: { stepId: 'a', version: 2 },
        after: { stepId: 'b', version: 3 },
      },
    ]);
  });

  it('contains new and revised artifacts', () => {
    const artifact = (artifactId: string, path: string) =>
      did('ArtifactReferenced', { artifactId, artifactType: 'document', path });
    const difference = given(created, artifact('spec', 'a.md')).when(
      artifact('spec', 'b.md'),
      artifact('notes', 'n.md'),
    );
    expect(changedParts(difference)).toEqual({
      artifactsAdded: [expect.objectContaining({ artifactId: 'notes', revision: 1 })],
      artifactsRevised: [
        {
          artifactId: 'spec',
          before: expect.objectContaining({ path: 'a.md', revision: 1 }),
          after: expect.objectContaining({ path: 'b.md', revision: 2 }),
        },
      ],
    });
  });

  it('distinguishes removed and added preferences', () => {
    const { preferencesChanged, globalContextChanged } = given(created).when(
      did('PreferencesSet', { values: { tone: null, length: { max: 3 } } }),
      did('GlobalContextSet', { values: { region: 'eu' } }),
    );
    expect(preferencesChanged).toEqual([
      { key: 'tone', before: 'dry' },
      { key: 'length', after: { max: 3 } },
    ]);
    expect(globalContextChanged).toEqual([{ key: 'region', after: 'eu' }]);
  });

  it('is empty for a change that was undone', () => {
    const difference = given(created).when(
      did('PreferencesSet', { values: { tone: 'warm' } }),
      did('PreferencesSet', { values: { tone: 'dry' } }),
    );
    expect(isUnchanged(difference)).toBe(true);
  });

  it('contains the time and author of a closing', () => {
    expect(changedParts(given(created).when(did('ContextClosed', {})))).toEqual({
      life: {
        before: expect.objectContaining({ status: 'open' }),
        after: expect.objectContaining({ status: 'closed', by: 'tester' }),
      },
    });
  });

  it('contains checkpoints', () => {
    const checkpoint = did('CheckpointCreated', { name: 'ready', version: 1 });
    expect(changedParts(given(created).when(checkpoint))).toEqual({
      checkpointsCreated: [expect.objectContaining({ name: 'ready', version: 1 })],
    });
  });

  it('contains added, changed and removed entries of other lists', () => {
    const risk = { riskId: 'RISK-1', severity: 'high', description: 'stale reads' } as const;
    const blocker = { blockerId: 'B-1', description: 'no sandbox' };
    const raised = [created, did('RiskRaised', risk), did('BlockerRaised', blocker)] as const;
    const cleared = did('BlockerCleared', { blockerId: 'B-1' });
    expect(changedParts(given(...raised).when(cleared))).toEqual({
      currentState: {
        before: expect.objectContaining({ status: 'blocked' }),
        after: expect.objectContaining({ status: 'not_started' }),
      },
      entriesChanged: [
        {
          part: 'dependencies.blockers',
          key: 'B-1',
          before: expect.objectContaining({ status: 'open' }),
          after: expect.objectContaining({ status: 'cleared', clearedBy: 'tester' }),
        },
      ],
    });
    const withdrawn = compareContexts(after(...raised).values(), after(created).values());
    expect(changedParts(withdrawn)).toMatchObject({
      currentState: { after: { status: 'not_started' } },
    });
    expect(changedParts(withdrawn)).toEqual({
      currentState: expect.anything(),
      entriesChanged: [
        expect.objectContaining({ part: 'dependencies.blockers', key: 'B-1', after: null }),
        expect.objectContaining({ part: 'risks', key: 'RISK-1', after: null }),
      ],
    });
  });

  it('contains items that no longer exist after a restore', () => {
    const late = after(created, decided('DEC-001'), output('plan', 'a'));
    expect(changedParts(compareContexts(late.values(), after(created).values()))).toMatchObject({
      decisionsWithdrawn: [{ decisionId: 'DEC-001' }],
      outputsWithdrawn: [{ stepId: 'plan' }],
      stepsChanged: [{ stepId: 'plan', after: null }],
    });
  });
});

const history = fc.tuple(contextCommands, fc.nat(), fc.nat()).map(([commands, one, other]) => {
  const { events } = contextFrom(commands);
  const [from, to] = [one, other]
    .map((number) => number % (events.length + 1))
    .sort((left, right) => left - right);
  const at = (version = 0) =>
    events.slice(0, version).reduce((state, event) => state.apply(event), nothing);
  return {
    between: events.slice(from, to),
    before: [...at(from).values()],
    after: [...at(to).values()],
  };
});

/** Kinds that a difference does not mention: bookkeeping that follows from the other kinds. */
const unmentionedKinds: ReadonlySet<ItemKind> = new Set([
  'output-value',
  'topic',
  'newest-review',
  'newest-signal',
  'provided',
  'patched',
  'counter',
  'idempotency',
  'completion',
  'summarized',
]);

/** The kinds of the entries of lists, if the kind and the list have different names. */
const kindOfPart: Readonly<Record<string, ItemKind>> = {
  tasks: 'task',
  handoverNotes: 'handover',
  inputRequests: 'input-request',
  phases: 'phase',
  metrics: 'baseline',
  circuitBreakers: 'loop',
  requirements: 'requirement',
  risks: 'risk',
  dependencies: 'dependency',
  'dependencies.blockers': 'blocker',
  reviewHistory: 'review',
  openIssues: 'issue',
  records: 'record',
  signals: 'signal',
  summaries: 'summary',
  'quality.inputs': 'input-check',
  'quality.outputs': 'scores',
};

/** The ids and names that a difference mentions. */
function mentioned(difference: ContextDifference): ReadonlySet<string> {
  const { created: creation, life, entriesChanged, ...lists } = difference;
  const entries = Object.values(lists).flatMap((part) => (Array.isArray(part) ? part : []));
  return new Set([
    ...(creation ? ['creation ', 'life '] : []),
    ...(life ? ['life '] : []),
    ...entriesChanged.map(({ part, key }) => `${kindOfPart[part] ?? part} ${key}`),
    ...entries.flatMap(({ stepId, decisionId, artifactId, key, agentId, name }) => [
      ...(decisionId === undefined ? [] : [`decision ${decisionId}`]),
      ...(artifactId === undefined ? [] : [`artifact ${artifactId}`]),
      ...(stepId === undefined
        ? []
        : [`step ${stepId}`, `step-output ${stepId}`, `step-failure ${stepId}`]),
      ...(key === undefined ? [] : [`preference ${key}`, `global ${key}`]),
      ...(name === undefined
        ? []
        : [`output ${JSON.stringify([agentId, name])}`, `checkpoint ${name}`]),
    ]),
  ]);
}

const textOf = ({ kind, key }: ItemKey) => `${kind} ${key}`;

describe('any difference', () => {
  it('is empty between a state and itself', () => {
    fc.assert(
      fc.property(history, ({ before }) => {
        expect(isUnchanged(compareContexts(before, before))).toBe(true);
      }),
    );
  });

  it('mentions every item that the events in the range changed', () => {
    fc.assert(
      fc.property(history, ({ before, after: now }) => {
        const mentionedItems = mentioned(compareContexts(before, now));
        for (const change of changedItems(before, now))
          if (!unmentionedKinds.has(change.kind)) expect(mentionedItems).toContain(textOf(change));
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same with an advanced activity as with one computed from all items', () => {
    fc.assert(
      fc.property(history, ({ between, before, after: now }) => {
        let state = ContextState.from(before);
        const earlier = activityOf(before);
        const later = between.reduce((activity, event) => {
          const advanced = advanceActivity(activity, event, state.lookup);
          state = state.apply(event);
          return advanced;
        }, earlier);
        expect(compareContexts(before, now, { activities: [earlier, later] })).toEqual(
          compareContexts(before, now),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same from the touched items, the decisions and the items of the activity as from all items', () => {
    fc.assert(
      fc.property(history, ({ between, before, after: now }) => {
        const touched = new Set(between.flatMap((event) => touchedKeys(event)).map(textOf));
        const loaded = (items: readonly Item[]) =>
          items.filter(
            (item) =>
              touched.has(textOf(item)) ||
              activityKinds.includes(item.kind) ||
              item.kind === 'decision',
          );
        expect(compareContexts(loaded(before), loaded(now))).toEqual(compareContexts(before, now));
      }),
      { numRuns: 1000 },
    );
  });
});
