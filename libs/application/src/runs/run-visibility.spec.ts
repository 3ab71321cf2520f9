import fc from 'fast-check';

import { ContextState, type RecordedContextEvent, sourceOf } from '#shared-context';
import { type RunWorld as World, RunWorld, make, moves, sampleDefinitions } from '#testing';
import { type Policy, VisibilityFilter, failuresIn } from '#visibility';
import {
  type CompiledWorkflow,
  type Envelope,
  RunDraft,
  envelopeOf,
  envelopeText,
  hiddenReference,
} from '#workflow';

import { visibilityOf, untracedResults } from './run-visibility.js';

const reader = { audience: 'narrow', agentId: 'coder' };
const agent = (id: string, more: object = {}) => ({ id, type: 'agent', agent: id, ...more });
const both: ('record' | 'working')[] = ['record', 'working'];
const everything: Policy = { show: [{ types: ['*'], visibility: both }] };

type VisibleRun = Readonly<{
  workflow: CompiledWorkflow;
  state: ContextState;
  policy: Policy | undefined;
  /** The events in which untraced results are looked up. */
  events?: readonly RecordedContextEvent[];
}>;

function draftOf({ workflow, state, policy, events = [] }: VisibleRun): RunDraft {
  const facts = {
    contextId: 'c',
    runId: 'r1',
    now: 0,
    random: 0,
    epoch: 'e',
    version: 1_000,
  };
  const run = { workflow, current: state.lookup };
  const versions = untracedResults(run);
  const untraced = events.filter(({ version }) => versions.includes(version));
  const makers = new Map(untraced.map((event) => [event.version, sourceOf(event)]));
  const visibility =
    policy && visibilityOf(new VisibilityFilter(policy, reader), { ...run, makers });
  return new RunDraft(state.lookup, workflow, facts, visibility);
}

function envelopeFor(run: VisibleRun, stepId: string): Envelope {
  return envelopeOf(draftOf(run), stepId, { contextId: 'c', effectKey: '' });
}

function folded(events: readonly RecordedContextEvent[]): ContextState {
  return events.reduce((state, event) => state.apply(event), ContextState.from([]));
}

/** A run with steps of every kind, and one step after a failure; `plan` has a second name. */
function story(): World {
  const world = RunWorld.start(
    {
      initial_context: { style: 'terse' },
      steps: [
        agent('plan', { output: 'blueprint', next: 'check' }),
        { id: 'check', type: 'condition', condition: 'true', then: 'approve' },
        { id: 'approve', type: 'approval', on_approve: 'sum' },
        { id: 'sum', type: 'transform', transform: 'context.plan + 1', next: 'review' },
        agent('review', { next: 'tests' }),
        { id: 'tests', type: 'parallel', next: 'flaky', steps: [agent('unit'), agent('e2e')] },
        agent('flaky', { on_error: 'fix' }),
        agent('fix', { input: ['plan', 'blueprint', 'style', 'tests'] }),
      ],
    },
    'the task',
  );
  world.finish('plan', 1);
  world.approve('approve', 'go on');
  world.finish('review', 'fine');
  world.finish('unit', 2);
  world.finish('e2e', 3);
  world.fail('flaky', 'it broke');
  return world;
}

/** The second round of a parallel step in which one branch has ended: the other branch reads its result of the first round. */
function secondRound(): World {
  const world = RunWorld.start({
    steps: [
      { id: 'tests', type: 'parallel', next: 'again', steps: [agent('unit'), agent('e2e')] },
      { id: 'again', type: 'condition', condition: 'true', then: { to: 'tests', max_visits: 1 } },
    ],
  });
  world.finish('unit', 'first');
  world.finish('e2e', 'first');
  world.finish('unit', 'second');
  return world;
}

const conclusions = ['StepScheduled', 'StepOutputDerived', 'StepAttemptTimedOut', 'StepRouted'];

/** A policy that shows all other events. */
function without(...hide: NonNullable<Policy['hide']>): Policy {
  return { show: [{ types: ['*', ...conclusions], visibility: both }], hide };
}

const tests = {
  success: true,
  data: [
    { stepId: 'unit', status: 'fulfilled', result: 2, error: null },
    { stepId: 'e2e', status: 'fulfilled', result: 3, error: null },
  ],
};
const context = {
  style: 'terse',
  plan: 1,
  blueprint: 1,
  check: { result: true },
  approve: { approved: true, comment: 'go on' },
  sum: 2,
  review: 'fine',
  unit: 2,
  e2e: 3,
  tests,
};
const references = { plan: 1, blueprint: 1, style: 'terse', tests };
const failure = { stepId: 'flaky', path: 'flaky#1', message: 'it broke', code: null, attempts: 1 };
const full = { input: 'the task', context, references, failure };
const planned = ['plan', 'blueprint'];
const concluded = ['check', 'approve', 'sum', 'tests'];

/** Differences in the envelope of `fix` by policy: missing members of the context and references, and members that are null. */
const hidden: readonly Readonly<{
  what: string;
  policy: Policy;
  without?: readonly string[];
  isNull?: readonly string[];
  instead?: object;
}>[] = [
  {
    what: 'the start of the run is hidden',
    policy: without({ types: ['RunStarted'] }),
    isNull: ['input'],
  },
  {
    what: 'the output of a step is hidden',
    policy: without({ types: ['StepOutputAdded'], steps: ['plan'] }),
    without: planned,
  },
  {
    what: 'the work of an agent is hidden',
    policy: without({ types: ['*'], authors: ['plan'] }),
    without: planned,
  },
  {
    what: 'the output of a branch is hidden',
    policy: without({ types: ['StepOutputAdded'], steps: ['unit'] }),
    without: ['unit', 'tests'],
  },
  {
    what: 'the end of a parallel step is hidden',
    policy: without({ types: ['StepRouted'], steps: ['tests'] }),
    without: ['tests'],
  },
  {
    what: 'the result of a condition is hidden',
    policy: without({ types: ['StepRouted'], steps: ['check'] }),
    without: ['check'],
  },
  {
    what: 'the end of an approval is hidden',
    policy: without({ types: ['StepRouted'], steps: ['approve'] }),
    without: ['approve'],
  },
  {
    what: 'decisions of people are hidden',
    policy: without({ types: ['ApprovalDecided'] }),
    instead: { approve: { approved: true } },
  },
  {
    what: 'computed outputs are hidden',
    policy: without({ types: ['StepOutputDerived'] }),
    without: ['sum'],
  },
  {
    what: 'failures are hidden',
    policy: without({ types: ['StepAttemptFailed'] }),
    isNull: ['failure'],
  },
  {
    what: 'conclusions are not named and some events are hidden',
    policy: { show: [{ types: ['*'], visibility: both }], hide: [{ types: ['StepStarted'] }] },
    without: concluded,
  },
  {
    what: 'only outputs are visible',
    policy: { show: [{ types: ['StepOutputAdded'] }] },
    without: concluded,
    isNull: ['input', 'failure'],
  },
  {
    what: 'only working notes are visible',
    policy: { show: [{ types: ['*'], visibility: ['working'] }] },
    without: Object.keys(context).filter((name) => name !== 'style'),
    isNull: ['input', 'failure'],
  },
];

describe('the envelope of a worker', () => {
  it('does not depend on the content of hidden events', () => {
    let [histories, compared] = [0, 0];
    fc.assert(
      fc.property(
        sampleDefinitions,
        moves,
        policies,
        fc.infiniteStream(fc.nat(999)),
        (definition, played, policy, noise) => {
          const world = RunWorld.start(definition, 'input of the run');
          for (const move of played) make(world, move);
          histories += 1;
          const events = disturbed(world.events, noise);
          const filter = new VisibilityFilter(policy, reader);
          const hasFailed = failuresIn(filter, folded(events).values());
          const isHidden = (event: RecordedContextEvent) =>
            !filter.shows(sourceOf(event), hasFailed);
          const changed = events.map((event) =>
            isHidden(event) ? withOtherContent(event) : event,
          );
          const { workflow } = world;
          const untraced = new Set(
            visited(world).filter(() => (noise.next().value ?? 0) % 8 === 0),
          );
          const runOf = (stored: readonly RecordedContextEvent[]) => ({
            workflow,
            policy,
            events: stored,
            state: withoutSources(folded(stored), untraced),
          });
          const [first, second] = [runOf(events), runOf(changed)];
          for (const stepId of visited(world)) {
            const envelope = envelopeFor(first, stepId);
            expect(envelopeFor(second, stepId)).toEqual(envelope);
            expect(envelopeText(envelopeFor(second, stepId))).toBe(envelopeText(envelope));
            expect(hiddenReference(draftOf(second), stepId)).toBe(
              hiddenReference(draftOf(first), stepId),
            );
            compared += 1;
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(compared / histories).toBeGreaterThan(500 / 300);
  });

  it('is complete if no event is hidden', () => {
    fc.assert(
      fc.property(
        sampleDefinitions,
        moves,
        fc.infiniteStream(fc.nat(999)),
        (definition, played, noise) => {
          const world = RunWorld.start(definition, 'input of the run');
          for (const move of played) make(world, move);
          const events = disturbed(world.events, noise);
          const state = folded(events);
          const { workflow } = world;
          for (const stepId of visited(world))
            expect(envelopeFor({ workflow, state, events, policy: everything }, stepId)).toEqual(
              envelopeFor({ workflow, state, policy: undefined }, stepId),
            );
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each(hidden)('lacks the values of hidden events if $what', (row) => {
    const { policy, without: missingNames = [], isNull = [], instead = {} } = row;
    const { workflow, state } = story();
    const pick = (envelope: Envelope) => ({
      input: envelope.input,
      context: envelope.context,
      references: envelope.references,
      failure: envelope.failure,
    });
    const envelopeUnder = (applied: Policy | undefined) =>
      pick(envelopeFor({ workflow, state, policy: applied }, 'fix'));
    expect([envelopeUnder(undefined), envelopeUnder(everything)]).toEqual([full, full]);
    const withoutMissing = (from: object) =>
      Object.fromEntries(Object.entries(from).filter(([name]) => !missingNames.includes(name)));
    expect(envelopeUnder(policy)).toEqual({
      ...full,
      context: { ...withoutMissing(context), ...instead },
      references: withoutMissing(references),
      ...Object.fromEntries(isNull.map((name) => [name, null])),
    });
    const missing = ['plan', 'blueprint', 'style', 'tests'].find((name) =>
      missingNames.includes(name),
    );
    expect(hiddenReference(draftOf({ workflow, state, policy }), 'fix')).toBe(missing);
  });

  it('filters the result of a parallel step whose item does not state its sources', () => {
    const children = Array.from({ length: 100 }, (_, n) => agent(`b${n}`));
    const world = RunWorld.start({
      max_iterations: 200,
      steps: [
        { id: 'tests', type: 'parallel', steps: children, next: 'report' },
        agent('report', { input: 'tests' }),
      ],
    });
    for (const { id } of children) world.finish(id, id);
    const { workflow, state, events } = world;
    expect(state.get('run-step', 'tests')?.sources).toBeUndefined();
    const hiddenUnder = (policy: Policy) => {
      const draft = draftOf({ workflow, state, events, policy });
      return hiddenReference(draft, 'report') ?? 'nothing is hidden';
    };
    expect(hiddenUnder(everything)).toBe('nothing is hidden');
    expect(hiddenUnder(without({ types: ['StepRouted'], steps: ['tests'] }))).toBe('tests');
    expect(hiddenUnder(without({ types: ['StepOutputAdded'], steps: ['b99'] }))).toBe('tests');
  });

  it('has the comment of an approval only if decisions of people are visible', () => {
    const { workflow, state } = story();
    const feedback = (policy: Policy | undefined) =>
      envelopeFor({ workflow, state, policy }, 'review').feedback;
    expect([undefined, everything].map(feedback)).toEqual(['go on', 'go on']);
    expect(feedback(without({ types: ['ApprovalDecided'] }))).toBeNull();
    expect(feedback({ show: [{ types: ['StepOutputAdded'] }] })).toBeNull();
  });

  it('filters a replaced output that a branch still reads by the author of that output', () => {
    const { workflow, events: stored } = secondRound();
    const ofFirst = stored.findIndex(({ type }) => type === 'StepOutputAdded');
    const events = stored.map((event, at) =>
      at === ofFirst ? { ...event, principal: 'first worker' } : event,
    );
    const state = folded(events);
    const read = (policy: Policy | undefined) =>
      envelopeFor({ workflow, state, policy, events }, 'e2e').context?.['unit'];
    const hiding = (author: string) => without({ types: ['StepOutputAdded'], authors: [author] });
    expect([undefined, everything, hiding('unit')].map(read)).toEqual(['first', 'first', 'first']);
    expect(read(hiding('first worker'))).toBeUndefined();
    expect(read(without({ types: ['StepOutputAdded'], steps: ['unit'] }))).toBeUndefined();
    expect(read(without({ types: ['StepOutputAdded'], steps: ['e2e'] }))).toBe('first');
  });
});

function withoutSources(state: ContextState, steps: ReadonlySet<string>): ContextState {
  const items = [...state.values()].map((item) =>
    item.kind === 'run-step' && steps.has(item.key) ? { ...item, sources: undefined } : item,
  );
  return ContextState.from(items);
}

function visited(world: RunWorld): readonly string[] {
  return Object.keys(world.workflow.steps).filter((stepId) => world.step(stepId).visit > 0);
}

const types = [
  ...(['RunStarted', 'StepOutputAdded', 'StepOutputDerived', 'StepAttemptFailed'] as const),
  ...(['StepAttemptTimedOut', 'StepRouted', 'ApprovalDecided', 'StepFailed', '*'] as const),
];
const authors = ['agent-0', 'agent-1', 'worker', 'executor', 'ada', 'coder', '$reader'];
const stepIds = ['s0', 's1', 's2', 's3', 's0-b0-0', 's1-b0-0', 's1-b1-0'];
const some = (names: readonly string[]) =>
  fc.subarray([...names], { minLength: 1 }).map((list) => list);
const rule = {
  types: some(types),
  authors: some(authors),
  steps: some(stepIds),
};
const policies: fc.Arbitrary<Policy> = fc
  .record(
    {
      show: fc.array(
        fc.record(
          {
            ...rule,
            visibility: fc.constantFrom(['record' as const], ['working' as const], both),
            failedSteps: fc.constant(true as const),
          },
          { requiredKeys: ['types'] },
        ),
        { minLength: 1, maxLength: 3 },
      ),
      hide: fc.array(fc.record(rule, { requiredKeys: ['types'] }), { minLength: 1, maxLength: 2 }),
    },
    { requiredKeys: ['show'] },
  )
  // Removes members that are undefined.
  .map((generated) => JSON.parse(JSON.stringify(generated)) as Policy);

/** The same events with other authors and visibilities, each with its own words, after failures of some steps. */
function disturbed(
  events: readonly RecordedContextEvent[],
  noise: fc.Stream<number>,
): readonly RecordedContextEvent[] {
  const [created, ...others] = events;
  if (!created) return [];
  const draw = () => noise.next().value ?? 0;
  const failures = ['s0', 's1'].slice(draw() % 3).map((stepId): RecordedContextEvent => ({
    ...created,
    type: 'StepFailed',
    data: { stepId, reason: 'before the run' },
  }));
  return [created, ...failures, ...others].map((event, at) => {
    const version = at + 1;
    const isOfPeople = !['executor', 'tester', 'starter'].includes(event.principal);
    const principal =
      isOfPeople && draw() % 3 === 0 ? (authors[draw() % 6] ?? 'ada') : event.principal;
    const visibility = draw() % 4 === 0 ? 'working' : 'record';
    return withWords({ ...event, principal, visibility, version }, `word-${version}`);
  });
}

/** The event with other content. */
function withOtherContent(event: RecordedContextEvent): RecordedContextEvent {
  const changed = withWords(event, `other-${event.version}`);
  if (changed.type !== 'StepRouted') return changed;
  const { holds, outcome } = changed.data;
  const swapped = { approved: 'rejected', rejected: 'approved' } as const;
  const isVerdict = outcome === 'approved' || outcome === 'rejected';
  return {
    ...changed,
    data: {
      ...changed.data,
      ...(holds !== undefined && { holds: !holds }),
      ...(isVerdict && { outcome: swapped[outcome] }),
    },
  };
}

/** The members with free text, by event type. */
const textMembers: ReadonlyMap<string, readonly string[]> = new Map([
  ['RunStarted', ['input']],
  ['StepOutputAdded', ['output']],
  ['StepOutputDerived', ['output']],
  ['StepAttemptFailed', ['reason', 'code']],
  ['StepRouted', ['reason']],
  ['ApprovalDecided', ['comment']],
]);

function withWords(event: RecordedContextEvent, word: string): RecordedContextEvent {
  const members = textMembers.get(event.type) ?? [];
  const data = Object.fromEntries(
    Object.entries(event.data).map(([name, value]) => [
      name,
      members.includes(name) ? word : value,
    ]),
  );
  // The cast is safe because these members accept any text.
  return { ...event, data } as RecordedContextEvent;
}
