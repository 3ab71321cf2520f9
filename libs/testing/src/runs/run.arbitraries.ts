import fc from 'fast-check';

import { type SampleDefinition } from './run-world.js';

type Step = Readonly<Record<string, unknown> & { id: string }>;

/** The values that determine one step; ids are assigned once all steps exist. */
type Draw = Readonly<{
  kind: 'agent' | 'condition' | 'transform' | 'approval' | 'parallel';
  /** Picks a step of the same branch, or of the whole definition. */
  near: number;
  far: number;
  choice: number;
  branches: readonly (readonly Draw[])[];
}>;

/**
 * Definitions that compile, most of them without faults, with loops, nested parallel steps, error routes and limits.
 */
export const sampleDefinitions: fc.Arbitrary<SampleDefinition> = fc
  .record({
    steps: fc.array(draw(2), { minLength: 2, maxLength: 6 }),
    max_iterations: fc.constantFrom(4, 40, 200),
    max_duration_ms: fc.constantFrom(40_000, 3_000_000),
    max_errors: fc.constantFrom(1, 5, 50),
    isParallel: fc.boolean(),
    hasOutput: fc.boolean(),
  })
  .map(({ steps: [first, ...others], isParallel, hasOutput, ...limits }) => {
    // The first step waits for a worker or a person.
    const kind = first?.kind === 'parallel' ? first.kind : 'agent';
    const steps = first
      ? [{ ...first, kind, choice: [10, 12, 17][first.choice % 3] ?? 10 } as const, ...others]
      : [];
    const ids = isParallel
      ? steps.flatMap((step, at) => idsOf([step], `s${at}_`))
      : idsOf(steps, 's');
    const drawn = isParallel
      ? steps.flatMap((step, at) => sequence([step], `s${at}_`, ids))
      : sequence(steps, 's', ids);
    const output = hasOutput ? { output: '{ done: metadata.iterationCount, input: input }' } : {};
    return { ...limits, ...output, ...(isParallel && { parallel: true }), steps: drawn };
  });

function draw(depth: number): fc.Arbitrary<Draw> {
  const kinds = [
    ...(['agent', 'agent', 'agent', 'agent'] as const),
    ...(['condition', 'transform', 'approval'] as const),
  ] as const;
  const choices = { near: fc.nat(20), far: fc.nat(20), choice: fc.nat(999) };
  if (depth === 0)
    return fc.record({ kind: fc.constantFrom(...kinds), ...choices, branches: fc.constant([]) });
  const branch = fc.array(draw(depth - 1), { minLength: 1, maxLength: 2 });
  return fc.record({
    kind: fc.constantFrom(...kinds, 'parallel' as const, 'parallel' as const, 'parallel' as const),
    ...choices,
    branches: fc.array(branch, { minLength: 1, maxLength: 3 }),
  });
}

function idsOf(steps: readonly Draw[], prefix: string): readonly string[] {
  return steps.flatMap(({ kind, branches }, at) => {
    const id = `${prefix}${at}`;
    if (kind !== 'parallel') return [id];
    return [id, ...branches.flatMap((branch, nth) => idsOf(branch, `${id}-b${nth}-`))];
  });
}

/** Each step leads to the next one, and some also back or forth: all are reachable from the first step alone. */
function sequence(steps: readonly Draw[], prefix: string, ids: readonly string[]): readonly Step[] {
  const own = steps.map((_, at) => `${prefix}${at}`);
  return steps.map((step, at) => {
    // The first step is the most frequent target, so that whole rounds are repeated.
    const near = own[step.near % 2 === 0 ? 0 : step.near % own.length] ?? '';
    const next = own[at + 1];
    const scope = { id: own[at] ?? '', near, next, far: ids[step.far % ids.length] ?? '', ids };
    return { ...stepOf(step, scope), ...extras(step, scope) };
  });
}

type StepScope = Readonly<{
  id: string;
  near: string;
  far: string;
  next: string | undefined;
  ids: readonly string[];
}>;

function stepOf({ kind, choice, branches }: Draw, { id, near, far, next, ids }: StepScope): Step {
  const on = next === undefined ? {} : { next };
  switch (kind) {
    case 'agent':
      return { id, type: 'agent', agent: `agent-${choice % 3}`, ...on, ...attempts(choice) };
    case 'condition':
      return {
        id,
        type: 'condition',
        condition: condition(choice, far),
        ...(next === undefined ? {} : { then: next }),
        ...(choice % 2 === 0 ? { else: near } : next === undefined ? {} : { else: next }),
      };
    case 'transform':
      return { id, type: 'transform', transform: transform(choice, far), ...on };
    case 'approval':
      return {
        id,
        type: 'approval',
        ...on,
        ...(choice % 3 === 0 && { on_reject: near }),
        ...(choice % 4 === 0 && {
          expiry: { after_ms: 5_000, default: ['approve', 'reject', 'fail'][choice % 3] },
        }),
      };
    case 'parallel':
      return {
        id,
        type: 'parallel',
        ...on,
        ...policy(choice),
        steps: branches.flatMap((branch, nth) => sequence(branch, `${id}-b${nth}-`, ids)),
      };
  }
}

function attempts(choice: number) {
  return {
    ...(choice % 3 === 0 && { max_retries: 3, retry_delay_ms: 1_000 }),
    ...(choice % 5 === 0 && { timeout_ms: 3_000 }),
    ...(choice % 7 === 0 && { recovery: ['replay_safe', 'keyed', 'verify', 'ask'][choice % 4] }),
    ...(choice % 11 === 0 && { retry: { max_attempts: 2, non_retryable: ['fatal'] } }),
  };
}

function policy(choice: number) {
  return {
    ...(choice % 3 === 0 && { failure: 'fail_fast' }),
    ...(choice % 3 === 1 && { failure: { min_success: 1 } }),
    ...(choice % 4 < 2 && { max_concurrency: 1 + (choice % 4) }),
  };
}

function extras({ choice, kind }: Draw, { near, far }: StepScope) {
  return {
    ...(choice % 6 === 1 && { on_error: 'skip' }),
    ...(choice % 6 === 2 && { on_error: near }),
    ...(choice % 6 === 3 && { optional: true }),
    ...(choice % 8 === 5 && { max_visits: 2 }),
    ...(choice % 9 === 4 && { when: condition(choice, far) }),
    ...(choice % 13 === 6 && kind === 'agent' && { input: far }),
  };
}

function condition(choice: number, far: string): string {
  const sources = [
    'step.visit > 2',
    'step.visit > 1',
    'metadata.iterationCount > 12',
    `context.${far}.success === true`,
    `context["${far}"].n > 1`,
    `results["${far}"].attempts > 1`,
    'input.flag',
    'metadata.iterationCount % 2 === 0',
    ...(choice % 5 === 0 ? [`metadata.iterationCount < context["${far}"]`] : []),
  ];
  return sources[choice % sources.length] ?? 'true';
}

function transform(choice: number, far: string): string {
  const sources = [
    'input',
    '{ n: step.visit }',
    'results',
    '{ n: metadata.previousSteps.length }',
    ...(choice % 5 === 0 ? [`context["${far}"].n + 1`] : []),
  ];
  return sources[choice % sources.length] ?? 'input';
}

/**
 * The next action of workers, people or time: `pick` chooses among all possible actions, unless this is one of the
 * rarer kinds.
 */
export type Move = Readonly<{
  kind: 'work' | 'pass' | 'pause' | 'cancel' | 'epoch';
  pick: number;
  value: number;
}>;

export const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 60, arbitrary: fc.constant('work' as const) },
      { weight: 6, arbitrary: fc.constant('pass' as const) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('pause' as const, 'epoch' as const, 'cancel' as const),
      },
    ),
    pick: fc.nat(999),
    value: fc.nat(5),
  }),
  { minLength: 10, maxLength: 120 },
);
