import { type JsonObject } from '#event-sourcing';
import { evaluateExpression } from '#expressions';

import { compileWorkflow } from './compile-workflow.js';
import { type CompiledStep } from './compiled-workflow.js';
import { InvalidWorkflowError } from './definition.error.js';
import { type StepType } from './step-types.js';
import { workflowDefinition } from './workflow.schema.js';

function compiled(definition: JsonObject) {
  return compileWorkflow(workflowDefinition.parse({ id: 'w', ...definition }));
}

/** The step with this id; throws unless it has this type. */
function stepOf<Type extends StepType>(
  { steps }: ReturnType<typeof compiled>,
  id: string,
  type: Type,
): CompiledStep<Type> {
  const step = steps[id];
  if (step?.type !== type) throw new Error(`${id} is not a step of type ${type}`);
  // The type was compared above.
  return step as unknown as CompiledStep<Type>;
}

const agent = (id: string, more: JsonObject = {}) => ({
  id,
  type: 'agent',
  agent: `${id}er`,
  ...more,
});

describe('compileWorkflow', () => {
  it('applies the defaults of the original specification', () => {
    const workflow = compiled({ steps: [agent('plan')] });
    expect(workflow).toMatchObject({
      maxIterations: 100,
      maxDurationMs: 300_000,
      maxErrors: 10,
      isParallel: false,
      isEnabled: true,
      visibleTo: undefined,
      output: undefined,
      initialContext: {},
    });
    expect(stepOf(workflow, 'plan', 'agent').attempts).toEqual({
      retry: {
        maxAttempts: 1,
        delayMs: 0,
        factor: 2,
        maxDelayMs: 300_000,
        jitter: 'full',
        nonRetryable: [],
      },
      timeoutMs: 60_000,
      recovery: undefined,
    });
  });

  it('reads max_retries as the number of all attempts, like retry.max_attempts', () => {
    const workflow = compiled({
      steps: [
        agent('a', { max_retries: 3, retry_delay_ms: 1_000 }),
        agent('b', {
          retry: { max_attempts: 3, delay_ms: 1_000, max_delay_ms: 5_000, jitter: 'none' },
        }),
      ],
    });
    const [a, b] = ['a', 'b'].map((id) => stepOf(workflow, id, 'agent').attempts.retry);
    expect(a).toMatchObject({
      maxAttempts: 3,
      delayMs: 1_000,
      maxDelayMs: 300_000,
      jitter: 'full',
    });
    expect(b).toMatchObject({ maxAttempts: 3, delayMs: 1_000, maxDelayMs: 5_000, jitter: 'none' });
  });

  it('never caps the delay below the first delay', () => {
    const workflow = compiled({ steps: [agent('a', { retry_delay_ms: 900_000 })] });
    expect(stepOf(workflow, 'a', 'agent').attempts.retry.maxDelayMs).toBe(900_000);
  });

  it('lists all steps by id with their parallel steps', () => {
    const workflow = compiled({
      steps: [
        {
          id: 'tests',
          type: 'parallel',
          next: 'report',
          steps: [
            agent('unit'),
            { id: 'browsers', type: 'parallel', steps: [agent('firefox'), agent('chrome')] },
          ],
        },
        agent('report'),
      ],
    });
    const parents = Object.values(workflow.steps).map(({ id, parent }) => [id, parent]);
    expect(Object.fromEntries(parents)).toEqual({
      tests: undefined,
      unit: 'tests',
      browsers: 'tests',
      firefox: 'browsers',
      chrome: 'browsers',
      report: undefined,
    });
    expect(stepOf(workflow, 'tests', 'parallel')).toMatchObject({
      children: { steps: ['unit', 'browsers'], entries: ['unit', 'browsers'] },
      failure: { kind: 'continue' },
      maxConcurrency: undefined,
    });
  });

  it('begins a sequence at the first step', () => {
    const { root } = compiled({ steps: [agent('a', { next: 'b' }), agent('b'), agent('c')] });
    expect(root).toEqual({ steps: ['a', 'b', 'c'], entries: ['a'] });
  });

  it('begins a branch at every step without a route to it in a parallel workflow', () => {
    const { root, isParallel } = compiled({
      parallel: true,
      steps: [agent('b'), agent('a', { next: 'b' }), agent('c', { on_error: 'd' }), agent('d')],
    });
    expect([isParallel, root.entries]).toEqual([true, ['a', 'c']]);
  });

  it('begins a branch at the first step of a loop without a route from outside', () => {
    const { root } = compiled({
      parallel: true,
      steps: [
        agent('report'),
        agent('code', { next: 'test' }),
        agent('test', { on_error: 'code', next: 'report' }),
        agent('lint'),
      ],
    });
    expect(root.entries).toEqual(['code', 'lint']);
  });

  it('runs sequences within a parallel step as branches', () => {
    const workflow = compiled({
      steps: [
        { id: 'all', type: 'parallel', steps: [agent('a', { next: 'b' }), agent('b'), agent('c')] },
      ],
    });
    expect(stepOf(workflow, 'all', 'parallel').children.entries).toEqual(['a', 'c']);
  });

  it('routes conditions and approvals to next by default', () => {
    const workflow = compiled({
      steps: [
        { id: 'check', type: 'condition', condition: 'true', then: 'ask', next: 'end' },
        { id: 'ask', type: 'approval', next: 'end' },
        agent('end'),
      ],
    });
    expect(stepOf(workflow, 'check', 'condition')).toMatchObject({
      then: { to: 'ask' },
      else: { to: 'end' },
    });
    expect(stepOf(workflow, 'ask', 'approval')).toMatchObject({
      message: 'Approve?',
      onApprove: { to: 'end' },
      onReject: undefined,
      expiry: undefined,
    });
  });

  it('rejects an expired approval unless expiry.default is set', () => {
    const workflow = compiled({
      steps: [
        { id: 'a', type: 'approval', expiry: { after_ms: 10 }, next: 'b' },
        { id: 'b', type: 'approval', expiry: { after_ms: 10, default: 'approve' } },
      ],
    });
    expect(stepOf(workflow, 'a', 'approval').expiry).toEqual({ afterMs: 10, decision: 'reject' });
    expect(stepOf(workflow, 'b', 'approval').expiry).toEqual({ afterMs: 10, decision: 'approve' });
  });

  it('routes a skipped approval like an approved one', () => {
    const workflow = compiled({
      steps: [
        { id: 'ask', type: 'approval', when: 'false', on_approve: 'b', on_reject: 'c' },
        agent('b'),
        agent('c'),
      ],
    });
    expect(stepOf(workflow, 'ask', 'approval').bypass).toMatchObject({ to: 'b' });
  });

  it('skips failures of optional steps, and of steps whose on_error is "skip"', () => {
    const { steps } = compiled({
      steps: [
        agent('a', { optional: true }),
        agent('b', { on_error: 'skip' }),
        agent('c', { optional: true, on_error: 'd' }),
        agent('d'),
        agent('e'),
      ],
    });
    expect(['a', 'b', 'e'].map((id) => steps[id]?.onError)).toEqual(['skip', 'skip', undefined]);
    expect(steps['c']).toMatchObject({ isOptional: true, onError: { to: 'd' } });
  });

  it('preserves limits of steps and of routes', () => {
    const { steps } = compiled({
      steps: [
        agent('a', {
          max_visits: 3,
          on_limit: 'c',
          next: { to: 'b', max_visits: 2, on_limit: 'c' },
        }),
        agent('b', { next: 'a' }),
        agent('c'),
      ],
    });
    expect(steps['a']).toMatchObject({ maxVisits: 3, onLimit: 'c' });
    expect(steps['a']?.next).toEqual({ to: 'b', maxVisits: 2, onLimit: 'c' });
  });

  it('names the agent that verifies attempts in doubt, by default the agent of the step', () => {
    const workflow = compiled({
      steps: [
        agent('a', { recovery: 'verify', verify: 'auditor' }),
        agent('b', { recovery: 'verify' }),
        agent('c', { recovery: 'keyed' }),
      ],
    });
    expect(['a', 'b', 'c'].map((id) => stepOf(workflow, id, 'agent').attempts.recovery)).toEqual([
      { kind: 'verify', agent: 'auditor' },
      { kind: 'verify', agent: 'ber' },
      { kind: 'keyed' },
    ]);
  });

  it('returns a deeply frozen workflow', () => {
    const { steps, initialContext } = compiled({
      initial_context: { limits: { files: [1] } },
      steps: [agent('plan', { parameters: { a: { b: 1 } } })],
    });
    const isDeeplyFrozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen));
    expect([steps, initialContext].map(isDeeplyFrozen)).toEqual([true, true]);
  });

  it('has no inherited members among its steps', () => {
    expect(compiled({ steps: [agent('a')] }).steps['constructor']).toBeUndefined();
  });

  it.each<[string, JsonObject[], string]>([
    ['an unknown target', [agent('a', { next: 'gone' })], '/steps/0/next'],
    [
      'an unknown target beyond a limit',
      [agent('a', { next: { to: 'a', on_limit: 'x' } })],
      '/steps/0/next/on_limit',
    ],
    ['an id that occurs twice', [agent('a', { next: 'b' }), agent('b'), agent('b')], '/steps/2'],
    ['an output that is called as a step', [agent('a', { output: 'a' })], '/steps/0'],
    [
      'a route out of a parallel step',
      [{ id: 'p', type: 'parallel', steps: [agent('a', { next: 'b' })] }, agent('b')],
      '/steps/0/steps/0/next',
    ],
    [
      'an expression that cannot be read',
      [{ id: 't', type: 'transform', transform: 'context.' }],
      '/steps/0/transform',
    ],
  ])('rejects %s', (_, steps, pointer) => {
    let issues: unknown;
    try {
      compiled({ steps });
    } catch (error) {
      if (!(error instanceof InvalidWorkflowError)) throw error;
      issues = error.issues;
    }
    expect(issues).toMatchObject([{ pointer }]);
  });
});

describe('compiled expressions', () => {
  const evaluate = (transform: string, scope: JsonObject) => {
    const steps = [
      agent('parallel-tests', { output: 'tests' }),
      { id: 't', type: 'transform', transform },
    ];
    return evaluateExpression(stepOf(compiled({ steps }), 't', 'transform').transform, scope);
  };
  const results = { 'parallel-tests': { success: true, status: 'completed', data: 1 } };

  it.each([
    ['context.parallel-tests.success', { passed: 3 }, true],
    ['context["parallel-tests"].success', { passed: 3 }, true],
    ['context.tests.success', { passed: 3 }, true],
    ['context.parallel-tests.success === true ? "yes" : "no"', 'text', 'yes'],
    ['context.parallel-tests.success', { success: false }, false],
    ['context.parallel-tests.success', { success: null }, null],
    ['map([1], context.parallel-tests.status)', {}, ['completed']],
    ['map([{ tests: 5 }], context => context.tests.success)', {}, [null]],
    ['context.parallel-tests.passed', { passed: 3 }, 3],
    ['context.t.success', {}, undefined],
  ])('evaluates %s with the result %j to %j', (transform, output, value) => {
    const context = { 'parallel-tests': output, tests: output };
    expect(evaluate(transform, { context, results })).toEqual(value);
  });
});
