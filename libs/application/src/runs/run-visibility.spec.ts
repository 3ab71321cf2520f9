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

type Shown = Readonly<{
  workflow: CompiledWorkflow;
  state: ContextState;
  policy: Policy | undefined;
  /** What is found of events that the items do not tell of. */
  events?: readonly RecordedContextEvent[];
}>;

function draftOf({ workflow, state, policy, events = [] }: Shown): RunDraft {
  const given = {
    contextId: 'c',
    runId: 'r1',
    now: 0,
    random: 0,
    epoch: 'e',
    version: 1_000,
  };
  const run = { workflow, current: state.lookup };
  const versions = untracedResults(run);
  const asked = events.filter(({ version }) => versions.includes(version));
  const makers = new Map(asked.map((event) => [event.version, sourceOf(event)]));
  const visibility =
    policy && visibilityOf(new VisibilityFilter(policy, reader), { ...run, makers });
  return new RunDraft(state.lookup, workflow, given, visibility);
}

function envelopeFor(shown: Shown, stepId: string): Envelope {
  return envelopeOf(draftOf(shown), stepId, { contextId: 'c', effectKey: '' });
}

function folded(events: readonly RecordedContextEvent[]): ContextState {
  return events.reduce((state, event) => state.apply(event), ContextState.from([]));
}

/** Steps of every kind, and one that follows upon a failure; `plan` has a second name. */
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

/** The second round of a parallel step, in which one branch has ended: the other one reads its result of the first round. */
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

/** A policy that shows everything else. */
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
const whole = { input: 'the task', context, references, failure };
const planned = ['plan', 'blueprint'];
const concluded = ['check', 'approve', 'sum', 'tests'];

/** What is left out of what `fix` is given: members of the context and of the references, and others that are null then. */
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
    what: 'conclusions are not named where something is hidden',
    policy: { show: [{ types: ['*'], visibility: both }], hide: [{ types: ['StepStarted'] }] },
    without: concluded,
  },
  {
    what: 'nothing but outputs is shown',
    policy: { show: [{ types: ['StepOutputAdded'] }] },
    without: concluded,
    isNull: ['input', 'failure'],
  },
  {
    what: 'nothing but working notes is shown',
    policy: { show: [{ types: ['*'], visibility: ['working'] }] },
    without: Object.keys(context).filter((name) => name !== 'style'),
    isNull: ['input', 'failure'],
  },
];

describe('what a worker is given of a run', () => {
  it('does not depend on the content of any event that is hidden from it', () => {
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
          const otherwise = events.map((event) => (isHidden(event) ? retold(event) : event));
          const { workflow } = world;
          const untraced = new Set(
            visited(world).filter(() => (noise.next().value ?? 0) % 8 === 0),
          );
          const shown = (told: readonly RecordedContextEvent[]) => ({
            workflow,
            policy,
            events: told,
            state: withoutSources(folded(told), untraced),
          });
          const [first, second] = [shown(events), shown(otherwise)];
          for (const stepId of visited(world)) {
            const given = envelopeFor(first, stepId);
            expect(envelopeFor(second, stepId)).toEqual(given);
            expect(envelopeText(envelopeFor(second, stepId))).toBe(envelopeText(given));
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

  it('is all that there is if nothing is hidden', () => {
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

  it.each(hidden)('lacks what it was made from if $what', (row) => {
    const { policy, without: gone = [], isNull = [], instead = {} } = row;
    const { workflow, state } = story();
    const pick = (envelope: Envelope) => ({
      input: envelope.input,
      context: envelope.context,
      references: envelope.references,
      failure: envelope.failure,
    });
    const given = (seen: Policy | undefined) =>
      pick(envelopeFor({ workflow, state, policy: seen }, 'fix'));
    expect([given(undefined), given(everything)]).toEqual([whole, whole]);
    const left = (from: object) =>
      Object.fromEntries(Object.entries(from).filter(([name]) => !gone.includes(name)));
    expect(given(policy)).toEqual({
      ...whole,
      context: { ...left(context), ...instead },
      references: left(references),
      ...Object.fromEntries(isNull.map((name) => [name, null])),
    });
    const missing = ['plan', 'blueprint', 'style', 'tests'].find((name) => gone.includes(name));
    expect(hiddenReference(draftOf({ workflow, state, policy }), 'fix')).toBe(missing);
  });

  it('has a parallel step whose item does not name all its sources', () => {
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
    const given = (policy: Policy) => {
      const draft = draftOf({ workflow, state, events, policy });
      return hiddenReference(draft, 'report') ?? 'nothing is hidden';
    };
    expect(given(everything)).toBe('nothing is hidden');
    expect(given(without({ types: ['StepRouted'], steps: ['tests'] }))).toBe('tests');
    expect(given(without({ types: ['StepOutputAdded'], steps: ['b99'] }))).toBe('tests');
  });

  it('has the comment of an approval only if decisions of people are shown', () => {
    const { workflow, state } = story();
    const feedback = (policy: Policy | undefined) =>
      envelopeFor({ workflow, state, policy }, 'review').feedback;
    expect([undefined, everything].map(feedback)).toEqual(['go on', 'go on']);
    expect(feedback(without({ types: ['ApprovalDecided'] }))).toBeNull();
    expect(feedback({ show: [{ types: ['StepOutputAdded'] }] })).toBeNull();
  });

  it('is an output that a newer one has replaced while a branch reads it, whoever its author is', () => {
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
  // A member that is undefined is not there.
  .map((made) => JSON.parse(JSON.stringify(made)) as Policy);

/** The same events by other authors, of other visibility, each with words of its own, after failures of some steps. */
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

/** A hidden event that says something else. */
function retold(event: RecordedContextEvent): RecordedContextEvent {
  const told = withWords(event, `other-${event.version}`);
  if (told.type !== 'StepRouted') return told;
  const { holds, outcome } = told.data;
  const swapped = { approved: 'rejected', rejected: 'approved' } as const;
  const isVerdict = outcome === 'approved' || outcome === 'rejected';
  return {
    ...told,
    data: {
      ...told.data,
      ...(holds !== undefined && { holds: !holds }),
      ...(isVerdict && { outcome: swapped[outcome] }),
    },
  };
}

/** What events say in words, by their types. */
const worded: ReadonlyMap<string, readonly string[]> = new Map([
  ['RunStarted', ['input']],
  ['StepOutputAdded', ['output']],
  ['StepOutputDerived', ['output']],
  ['StepAttemptFailed', ['reason', 'code']],
  ['StepRouted', ['reason']],
  ['ApprovalDecided', ['comment']],
]);

function withWords(event: RecordedContextEvent, word: string): RecordedContextEvent {
  const members = worded.get(event.type) ?? [];
  const data = Object.fromEntries(
    Object.entries(event.data).map(([name, value]) => [
      name,
      members.includes(name) ? word : value,
    ]),
  );
  // The members of these types are texts, or any JSON.
  return { ...event, data } as RecordedContextEvent;
}
