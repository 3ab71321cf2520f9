import { type JsonObject, type JsonValue } from '#event-sourcing';

import { workflowLimits } from '../definition/limits.js';
import { readWorkflow, validateWorkflow } from './validate-workflow.js';

const agent = (id: string, more: JsonObject = {}) => ({
  id,
  type: 'agent',
  agent: `${id}er`,
  ...more,
});

/** `<severity> <code> <pointer>: <message>` of each fault. */
function faultsOf(definition: JsonObject | readonly JsonObject[]): readonly string[] {
  const value = Array.isArray(definition) ? { steps: definition } : definition;
  return validateWorkflow({ id: 'w', ...value }).map(
    ({ severity, code, pointer, message }) => `${severity} ${code} ${pointer}: ${message}`,
  );
}

describe('the schema of a definition', () => {
  it.each<[JsonObject, string[]]>([
    [{}, ['error missing-member : steps is required']],
    [{ steps: [] }, ['error invalid-member /steps: steps must be at least 1 entry']],
    [
      { id: 'a b', steps: [agent('a')] },
      ['error invalid-member /id: id must be 1 to 128 of A-Z a-z 0-9 . _ -, and not "." or ".."'],
    ],
    [
      { id: '..', steps: [agent('a')] },
      ['error invalid-member /id: id must be 1 to 128 of A-Z a-z 0-9 . _ -, and not "." or ".."'],
    ],
    [
      { max_iterations: 0, steps: [agent('a', { timeout_ms: 0, max_retries: 0 })] },
      [
        'error invalid-member /max_iterations: max_iterations must be at least 1',
        'error invalid-member /steps/0/max_retries: max_retries must be at least 1',
        'error invalid-member /steps/0/timeout_ms: timeout_ms must be at least 1',
      ],
    ],
    [
      { steps: [{ id: 'a', type: 'agnet', agent: 'a' }] },
      [
        'error unknown-step-type /steps/0/type: there is no such type of step: write one of agent, approval, parallel, condition, transform; did you mean agent?',
      ],
    ],
    [
      { steps: [{ id: 'a' }] },
      [
        'error missing-member /steps/0: type is required: one of agent, approval, parallel, condition, transform',
      ],
    ],
    [{ steps: [{ id: 'a', type: 'agent' }] }, ['error missing-member /steps/0: agent is required']],
    [
      { steps: [agent('a', { nxt: 'b' })], max_iteration: 3 },
      [
        'error unknown-member /steps/0/nxt: nxt is not known here; did you mean next?',
        'error unknown-member /max_iteration: max_iteration is not known here; did you mean max_iterations?',
      ],
    ],
    [
      { steps: [agent('a', { condition: 'true', steps: [] })] },
      [
        'error unknown-member /steps/0/condition: condition belongs to steps of type condition',
        'error unknown-member /steps/0/steps: steps belongs to steps of type parallel',
      ],
    ],
    [
      { steps: [{ id: 'p', type: 'parallel', steps: [agent('a', { agnt: 1 })] }] },
      ['error unknown-member /steps/0/steps/0/agnt: agnt is not known here'],
    ],
    [
      { steps: [agent('a', { next: 3 })] },
      ['error invalid-member /steps/0/next: next must be text, or must be an object with to'],
    ],
    [
      { steps: [agent('a', { next: { to: 'a', maxVisits: 3 } })] },
      [
        'error unknown-member /steps/0/next/maxVisits: maxVisits is not known here; did you mean max_visits?',
      ],
    ],
    [
      { steps: [agent('a', { input: ['a', 7], next: { max_visits: 0 } })] },
      [
        'error invalid-member /steps/0/input/1: input must be text',
        'error missing-member /steps/0/next: to is required',
        'error invalid-member /steps/0/next/max_visits: max_visits must be at least 1',
      ],
    ],
    [{ steps: 'a' }, ['error invalid-member /steps: steps must be a list']],
  ])('%j', (definition, faults) => {
    expect(faultsOf(definition)).toEqual(faults);
  });

  it.each<[JsonValue, string]>([
    [null, 'the definition must be an object with id and steps'],
    [[], 'the definition must be an object with id and steps'],
    [7, 'the definition must be an object with id and steps'],
  ])('rejects %j', (value, message) => {
    expect(validateWorkflow(value as null)).toMatchObject([{ code: 'invalid-member', message }]);
  });

  it('limits the size', () => {
    const many = Array.from({ length: 60 }, (_, at) => ({
      id: `p${at}`,
      type: 'parallel',
      steps: Array.from({ length: 20 }, (__, n) => agent(`s${at}-${n}`)),
    }));
    const nested = (levels: number): JsonObject =>
      levels === 0
        ? agent('a')
        : { id: `p${levels}`, type: 'parallel', steps: [nested(levels - 1)] };
    const parameters = { text: 'x'.repeat(workflowLimits.definitionLength) };
    const deep: JsonValue = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`);
    expect(faultsOf({ parallel: true, steps: many })).toEqual([
      'error too-large /steps: there are more than 1000 steps',
    ]);
    expect(faultsOf([nested(8)])[0]).toMatch(
      /^error too-deep .*: parallel steps are nested deeper/,
    );
    expect(faultsOf([nested(7)])).toEqual([]);
    expect(faultsOf([agent('a', { parameters })])).toEqual([
      'error too-large : longer than 524288 characters as JSON',
    ]);
    expect(faultsOf([agent('a', { parameters: { deep } })])).toEqual([
      'error too-deep : nested deeper than 64 levels',
    ]);
  });
});

describe('limits of members', () => {
  const names = (count: number) => Array.from({ length: count }, () => 'plan');
  const approvalOf = (message: string) => ({
    id: 'a',
    type: 'approval',
    on_reject: 'a',
    max_visits: 2,
    message,
  });
  const planned = (more: JsonObject) => ({
    steps: [agent('plan', { next: 'a' }), agent('a', more)],
  });

  it.each<[string, number, (limit: number) => JsonObject]>([
    ['max_iterations', workflowLimits.count, (n) => ({ ...planned({}), max_iterations: n })],
    ['max_visits', workflowLimits.count, (n) => planned({ max_visits: n })],
    ['max_retries', workflowLimits.attempts, (n) => planned({ max_retries: n })],
    ['max_attempts', workflowLimits.attempts, (n) => planned({ retry: { max_attempts: n } })],
    ['timeout_ms', workflowLimits.duration, (n) => planned({ timeout_ms: n })],
    ['max_duration_ms', workflowLimits.duration, (n) => ({ ...planned({}), max_duration_ms: n })],
    ['input', workflowLimits.names, (n) => planned({ input: names(n) })],
    ['visible_to', workflowLimits.names, (n) => ({ ...planned({}), visible_to: names(n) })],
    ['message', workflowLimits.textLength, (n) => ({ steps: [approvalOf('x'.repeat(n))] })],
  ])('%s is at most %i', (member, limit, definition) => {
    expect(faultsOf(definition(limit))).toEqual([]);
    expect(faultsOf(definition(limit + 1))).toEqual([
      expect.stringMatching(`^error invalid-member /.*: ${member} must be at most `),
    ]);
  });
});

describe('names', () => {
  it.each<[string, JsonObject, string[]]>([
    [
      'must differ between steps, including nested ones',
      { steps: [{ id: 'a', type: 'parallel', steps: [agent('b'), agent('a')] }] },
      [
        'error duplicate-step-id /steps/0/steps/1/id: another step has the id a, here or in a parallel step: rename one of them',
      ],
    ],
    [
      'must not be reserved',
      {
        initial_context: { __proto__x: 1, toString: 2 },
        steps: [
          agent('input', { next: 'constructor' }),
          agent('constructor', { next: 'skip' }),
          agent('skip', { output: 'context' }),
        ],
      },
      [
        'error reserved-name /steps/0/id: "input" is a reserved name: use another name',
        'error reserved-name /steps/1/id: "constructor" is a reserved name: use another name',
        'error reserved-name /steps/2/id: "skip" is a reserved name: use another name',
        'error reserved-name /steps/2/output: "context" is a reserved name: use another name',
        'error reserved-name /initial_context/toString: "toString" is a reserved name: use another name',
      ],
    ],
    [
      'in the context must belong to one step, or to the initial context',
      {
        initial_context: { a: 1, files: 2, limit: 3 },
        steps: [agent('a', { output: 'files', next: 'b' }), agent('b', { output: 'a' })],
      },
      [
        'error name-conflict /steps/1/output: context.a would have two values, since a is the id of a step: use another name',
        'error name-conflict /initial_context/a: context.a would have two values, since a is the id of a step: use another name',
        'error name-conflict /initial_context/files: context.files would have two values, since files is the output of another step: use another name',
      ],
    ],
  ])('%s', (_, definition, faults) => {
    expect(faultsOf(definition)).toEqual(faults);
  });

  it('must not be __proto__ in the initial context', () => {
    const text =
      '{ "id": "w", "initial_context": { "__proto__": 1 }, "steps": [{ "id": "a", "type": "agent", "agent": "a" }] }';
    expect(validateWorkflow(text)).toMatchObject([
      { code: 'reserved-name', pointer: '/initial_context/__proto__' },
    ]);
  });
});

describe('routes', () => {
  it.each<[string, JsonObject[], string[]]>([
    [
      'must lead to existing steps',
      [agent('code', { next: 'tets', on_error: 'fix' }), agent('test')],
      [
        'error unknown-target /steps/0/next: there is no step tets to go to; did you mean test?',
        'error unknown-target /steps/0/on_error: there is no step fix to go to',
        'error unreachable-step /steps/1: no route leads to test, and steps do not follow each other by their position: name test in a route, or remove it',
      ],
    ],
    [
      'must lead to existing steps at a limit',
      [
        agent('a', {
          next: { to: 'b', max_visits: 2, on_limit: 'c' },
          max_visits: 3,
          on_limit: 'd',
        }),
      ],
      [
        'error unknown-target /steps/0/next/to: there is no step b to go to',
        'error unknown-target /steps/0/next/on_limit: there is no step c to go to',
        'error unknown-target /steps/0/on_limit: there is no step d to go to',
      ],
    ],
    [
      'may use skip in on_error only',
      [agent('a', { next: 'skip', on_error: 'skip' })],
      [
        'error unknown-target /steps/0/next: there is no step skip to go to; "skip" is for on_error only: leave the member out, or name a step',
      ],
    ],
    [
      'must not leave the parallel step of their branch',
      [
        { id: 'p', type: 'parallel', next: 'b', steps: [agent('a', { next: 'b', on_error: 'p' })] },
        agent('b'),
      ],
      [
        'error target-elsewhere /steps/0/steps/0/next: b is outside of the parallel step p, which its branches cannot leave: use next or on_error of p',
        'error target-elsewhere /steps/0/steps/0/on_error: p is outside of the parallel step p, which its branches cannot leave: use next or on_error of p',
      ],
    ],
    [
      'must not lead into a parallel step',
      [agent('a', { next: 'b' }), { id: 'p', type: 'parallel', steps: [agent('b')] }],
      [
        'error target-elsewhere /steps/0/next: b is within the parallel step p: go to that step, or move b out of it',
        'error unreachable-step /steps/1: no route leads to p, and steps do not follow each other by their position: name p in a route, or remove it',
      ],
    ],
    [
      'of two branches must not share a step',
      [
        {
          id: 'p',
          type: 'parallel',
          steps: [agent('a', { next: 'c' }), agent('b', { next: 'c' }), agent('c')],
        },
      ],
      [
        'error branches-meet /steps/0/steps/1/next: c is in the branch of a already: branches meet at the end of a parallel step only',
      ],
    ],
    [
      'at a limit must lead to another step',
      [
        agent('a', {
          next: { to: 'a', max_visits: 2, on_limit: 'a' },
          max_visits: 3,
          on_limit: 'a',
        }),
      ],
      [
        'error endless-limit /steps/0/next/on_limit: a is the step whose limit was reached: name another one',
        'error endless-limit /steps/0/on_limit: a is the step whose limit was reached: name another one',
      ],
    ],
    [
      'at limits must not form a cycle',
      [
        agent('a', { next: 'b', max_visits: 2, on_limit: 'b' }),
        agent('b', { next: 'a', max_visits: 2, on_limit: 'a' }),
      ],
      [
        'error endless-limit /steps/0/on_limit: b leads back to a if both limits are reached: name another step',
        'error endless-limit /steps/1/on_limit: a leads back to b if both limits are reached: name another step',
      ],
    ],
    [
      'must lead to every step',
      [agent('a'), agent('b', { next: 'c' }), agent('c')],
      [
        'error unreachable-step /steps/1: no route leads to b, and steps do not follow each other by their position: add "next": "b" to a',
        'error unreachable-step /steps/2: c is reached only from b, which the first step does not lead to',
      ],
    ],
  ])('%s', (_, steps, faults) => {
    expect(faultsOf(steps)).toEqual(faults);
  });

  it('are not needed in a parallel workflow', () => {
    expect(faultsOf({ parallel: true, steps: [agent('a'), agent('b')] })).toEqual([]);
  });
});

describe('loops', () => {
  it.each<[string, JsonObject[], string[]]>([
    [
      'cause a warning if they have no limit',
      [agent('a', { next: 'b' }), agent('b', { next: 'c', on_error: 'a' }), agent('c')],
      [
        'warning loop-without-limit /steps/1/on_error: the loop of a, b has no limit, so that only max_iterations ends it: set max_visits of a, or write { "to": "a", "max_visits": 3 }',
      ],
    ],
    [
      'may consist of one step',
      [agent('a', { on_error: 'a' })],
      ['loop-without-limit /steps/0/on_error'],
    ],
    [
      'are reported one by one',
      [agent('a', { next: 'b', on_error: 'a' }), agent('b', { on_error: 'b' })],
      ['loop-without-limit /steps/0/on_error', 'loop-without-limit /steps/1/on_error'],
    ],
    [
      'may have a limit at a step',
      [agent('a', { next: 'b' }), agent('b', { next: 'a', max_visits: 3 })],
      [],
    ],
    [
      'may have a limit at a route',
      [agent('a', { next: 'b' }), agent('b', { next: { to: 'a', max_visits: 3 } })],
      [],
    ],
    [
      'after a limit need a limit of their own',
      [agent('a', { next: 'b', max_visits: 3, on_limit: 'b' }), agent('b', { next: 'a' })],
      ['warning loop-without-limit /steps/1/next: the loop of b has no limit'],
    ],
    [
      'that bypass a limit need another one',
      [agent('a', { next: 'b' }), agent('b', { next: { to: 'a', max_visits: 3 }, on_error: 'a' })],
      ['loop-without-limit /steps/1/on_error'],
    ],
    [
      'are reported within a parallel step',
      [{ id: 'p', type: 'parallel', steps: [agent('a', { next: 'a' })] }],
      ['loop-without-limit /steps/0/steps/0/next'],
    ],
  ])('%s', (_, steps, faults) => {
    const found = faultsOf(steps);
    expect(found).toHaveLength(faults.length);
    for (const [at, fault] of faults.entries()) expect(found[at]).toContain(fault);
  });
});

describe('members', () => {
  it.each<[string, JsonObject[], string[]]>([
    [
      'for attempts have no effect on steps without attempts',
      [
        { id: 'a', type: 'approval', on_reject: 'b', next: 'b', timeout_ms: 5, max_retries: 2 },
        { id: 'b', type: 'transform', transform: '1', recovery: 'keyed' },
      ],
      [
        'warning no-effect /steps/0/max_retries: max_retries has no effect on a step of type approval: remove it',
        'warning no-effect /steps/0/timeout_ms: timeout_ms has no effect on a step of type approval: remove it',
        'warning no-effect /steps/1/recovery: recovery has no effect on a step of type transform: remove it',
      ],
    ],
    [
      'must not define a value twice',
      [agent('a', { max_retries: 2, retry: { max_attempts: 3, delay_ms: 5 }, retry_delay_ms: 5 })],
      [
        'error contradictory-members /steps/0/max_retries: max_retries is retry.max_attempts under another name: remove one of them',
        'error contradictory-members /steps/0/retry_delay_ms: retry_delay_ms is retry.delay_ms under another name: remove one of them',
      ],
    ],
    [
      'for delays must be consistent',
      [
        agent('a', { next: 'b', retry: { max_attempts: 2, delay_ms: 5, max_delay_ms: 4 } }),
        agent('b', { next: 'c', retry_delay_ms: 5 }),
        agent('c', { retry: { delay_ms: 5 } }),
      ],
      [
        'error contradictory-members /steps/0/retry/max_delay_ms: max_delay_ms is less than the first delay, 5 ms: raise it, or leave it out',
        'warning no-effect /steps/1/retry_delay_ms: retry_delay_ms has no effect, since there is one attempt only: set max_retries, which counts all attempts',
        'warning no-effect /steps/2/retry/delay_ms: delay_ms has no effect, since there is one attempt only: set max_retries, which counts all attempts',
      ],
    ],
    [
      'without the member that they depend on cause a warning',
      [
        agent('a', { verify: 'b', on_limit: 'b', next: { to: 'b', on_limit: 'c' } }),
        agent('b'),
        agent('c'),
      ],
      [
        'warning no-effect /steps/0/verify: verify has an effect only together with "recovery": "verify"',
        'warning no-effect /steps/0/on_limit: on_limit has an effect only together with max_visits: add max_visits',
        'warning no-effect /steps/0/next/on_limit: on_limit has an effect only together with max_visits: add max_visits',
      ],
    ],
    [
      'of approvals should include a route for a rejection',
      [{ id: 'a', type: 'approval', on_approve: 'b' }, agent('b')],
      [
        'warning rejection-ends-run /steps/0/on_approve: a rejection ends the run as rejected: set on_reject to continue at another step',
      ],
    ],
    [
      'of conditions should all have an effect',
      [
        { id: 'a', type: 'condition', condition: 'true', then: 'b', else: 'b', next: 'b' },
        agent('b'),
      ],
      [
        'warning no-effect /steps/0/next: next has no effect together with then and else: remove it',
      ],
    ],
    [
      'of parallel steps must be satisfiable',
      [{ id: 'a', type: 'parallel', failure: { min_success: 2 }, steps: [agent('b')] }],
      [
        'error contradictory-members /steps/0/failure/min_success: 2 branches cannot succeed: there are at most 1',
      ],
    ],
  ])('%s', (_, steps, faults) => {
    expect(faultsOf(steps)).toEqual(faults);
  });
});

describe('expressions', () => {
  const when = (source: string) =>
    faultsOf({
      initial_context: { limit: 3 },
      steps: [
        agent('parallel-tests', { next: 'b', output: 'tests' }),
        agent('b', { when: source }),
      ],
    });

  it.each<[string, string[]]>([
    ['context.parallel-tests.passed > context.limit', []],
    ['context["parallel-tests"].passed > input.limit', []],
    ['context.tests.passed > 0 && step.visit < 3 && metadata.iterationCount < 5', []],
    ['results.parallel-tests.success === true && derived.x == 1', []],
    ['keys(context) === 3 || len(results) > 1', []],
    ['context[input.which] == 1', []],
    [
      'context.parallel.passed',
      [
        'error unknown-step /steps/1/when: context.parallel never exists: no step is named parallel; did you mean parallel-tests?',
      ],
    ],
    [
      'results.tests.success',
      ['error unknown-step /steps/1/when: results.tests never exists: no step is named tests'],
    ],
    [
      'results.parallel-tests.sucess',
      [
        'error unknown-field /steps/1/when: results.parallel-tests has no sucess: use one of stepId, success, status, data, error, attempts, visit, startTime, endTime, duration',
      ],
    ],
    [
      'step.attempt > 1',
      [
        'error unknown-field /steps/1/when: step has no attempt: use one of id, name, type, parameters, visit',
      ],
    ],
    [
      'parallel_tests > tests.passed',
      [
        'error unknown-name /steps/1/when: parallel_tests is not known in expressions: use one of input, context, results, step, metadata, derived',
        'error unknown-name /steps/1/when: tests is not known in expressions; did you mean context.tests?',
      ],
    ],
    [
      'context.tests.success',
      [
        'warning ambiguous-outcome /steps/1/when: context.tests.success is the success in the result of parallel-tests if it has one, otherwise that of the step: write results.parallel-tests.success for the step',
      ],
    ],
    [
      'context.',
      ['error invalid-expression /steps/1/when: at character 9: a name is expected after the dot'],
    ],
    [
      '9007199254740993 > 1',
      [
        'error invalid-expression /steps/1/when: at character 1: no double holds 9007199254740993 exactly: write 9007199254740992, or a number of at most 15 digits',
      ],
    ],
  ])('%s', (source, faults) => {
    expect(when(source)).toEqual(faults);
  });

  it('have faults at a character of the text', () => {
    const text = String.raw`{
  "id": "w",
  "output": "\"a\\n\" + plan",
  "steps": [{ "id": "plan", "type": "agent", "agent": "a" }]
}`;
    expect(validateWorkflow(text)).toMatchObject([
      { code: 'unknown-name', line: 3, column: 25, suggestion: 'context.plan' },
    ]);
  });
});

describe('results that may be absent', () => {
  const approval = { id: 'ask', type: 'approval', on_approve: 'end', on_reject: 'other' };
  const parallel = (more: JsonObject = {}) => ({
    id: 'p',
    type: 'parallel',
    next: 'end',
    steps: [agent('a'), agent('b', { next: 'c' }), agent('c')],
    ...more,
  });

  it.each<[string, JsonObject[], string[]]>([
    [
      'include results of a step that only some routes visit',
      [
        { id: 'check', type: 'condition', condition: 'true', then: 'a', else: 'end' },
        agent('a', { next: 'end' }),
        agent('end', { when: 'context.a.x == 1' }),
      ],
      [
        'warning may-be-absent /steps/2/when: context.a may be absent when end runs: a run can get there without the success of a: handle that case, for example with ?? or == null',
      ],
    ],
    [
      'cause no warning if the expression handles the absence',
      [
        { id: 'check', type: 'condition', condition: 'true', then: 'a', else: 'end' },
        agent('a', { next: 'end' }),
        agent('end', { when: '(context.a ?? 1) == 1 && context.a.x != null' }),
      ],
      [],
    ],
    [
      'exclude results of a step that always ran before',
      [agent('a', { next: 'b' }), agent('b', { next: 'a', when: 'context.a.x', input: 'a' })],
      ['loop-without-limit'],
    ],
    [
      'include results of a step with a handled error, but not its outcome',
      [
        agent('a', { next: 'end', on_error: 'end' }),
        agent('end', { when: 'context.a.x && results.a.success' }),
      ],
      ['may-be-absent /steps/1/when: context.a may'],
    ],
    [
      'include results of a step that may be skipped',
      [
        agent('a', { next: 'end', when: 'true' }),
        agent('b', { next: 'end', optional: true }),
        agent('end', { input: ['a', 'b'] }),
      ],
      [
        'unreachable-step',
        'may-be-absent /steps/2/input/0: a may be absent when end runs: a run can get there without the success of a, and the step fails then',
        'may-be-absent /steps/2/input/1: b may be absent',
      ],
    ],
    [
      'exclude decisions of approvals',
      [approval, agent('other', { next: 'end' }), agent('end', { when: 'context.ask.approved' })],
      [],
    ],
    [
      'include results of steps whose parallel step may succeed without them',
      [parallel(), agent('end', { when: 'context.p.success && context.a.x && context.c.x' })],
      ['context.a may be absent', 'context.c may be absent'],
    ],
    [
      'exclude results within a parallel step that handles errors',
      [
        parallel({ on_error: 'other' }),
        agent('end', { when: 'context.a.x && context.c.x' }),
        agent('other', { when: 'results.p.error == null' }),
      ],
      [],
    ],
    [
      'include results of other branches',
      [
        {
          id: 'p',
          type: 'parallel',
          steps: [agent('a'), agent('b', { when: 'context.a.x' })],
        },
      ],
      [
        'warning never-available /steps/0/steps/1/when: context.a never exists when b runs, since no route leads to it from a',
      ],
    ],
    [
      'include results of other branches in an earlier round',
      [
        {
          id: 'p',
          type: 'parallel',
          next: { to: 'p', max_visits: 2 },
          steps: [agent('a'), agent('b', { when: 'context.a.x' })],
        },
      ],
      ['may-be-absent'],
    ],
    [
      'are rejected as an input if they are always absent',
      [agent('a', { input: 'b', next: 'b' }), agent('b')],
      [
        'error input-never-available /steps/0/input: b never exists when a runs, since no route leads to it from b',
      ],
    ],
    [
      'exclude results from before the parallel step of a branch',
      [
        agent('plan', { next: 'p' }),
        { id: 'p', type: 'parallel', steps: [agent('a', { input: 'plan' })] },
      ],
      [],
    ],
  ])('%s', (_, steps, faults) => {
    const found = faultsOf(steps);
    expect([found, found.length]).toEqual([found, faults.length]);
    for (const [at, fault] of faults.entries()) expect(found[at]).toContain(fault);
  });

  it('cause a warning in the output of a run', () => {
    const steps = [
      { id: 'check', type: 'condition', condition: 'true', then: 'a', else: 'b' },
      agent('a'),
      agent('b'),
    ];
    expect(faultsOf({ steps, output: 'context.check.result ? context.a : 1' })).toEqual([
      'warning may-be-absent /output: context.a may be absent at the end of a run: a run can get there without the success of a: handle that case, for example with ?? or == null',
    ]);
  });

  it('exclude unknown inputs, which are errors', () => {
    expect(faultsOf([agent('a', { input: ['input', 'plan'] })])).toEqual([
      'error unknown-step /steps/0/input/0: there is no step or output input',
      'error unknown-step /steps/0/input/1: there is no step or output plan',
    ]);
  });
});

describe('names of agents', () => {
  const namedFaults = (agent: string) =>
    validateWorkflow({ id: 'w', steps: [{ id: 's', type: 'agent', agent }] }).map(
      ({ code, severity, pointer }) => ({ code, severity, pointer }),
    );

  it.each([
    'executor',
    'ex\u200becutor',
    'admin',
    'аdmin',
    'key:1',
    '..',
    ' ',
    'a\u0001',
    '\ud800',
  ])('rejects %j, which no agent can have', (agent) => {
    expect(namedFaults(agent)).toEqual([
      { code: 'agent-name', severity: 'error', pointer: '/steps/0/agent' },
    ]);
  });

  it('accepts names of agents in any script', () => {
    for (const agent of ['coder', 'Prüferin', '審査員', 'administrator'])
      expect(namedFaults(agent)).toEqual([]);
  });
});

describe('agents', () => {
  const steps = [
    agent('plan', { next: 'test' }),
    { id: 'test', type: 'agent', agent: 'Tester', recovery: 'verify', verify: 'planer' },
  ];
  const names = ['planer', 'tester'];
  const known = { names, has: (name: string) => names.includes(name.toLowerCase()) };

  it('cause a warning if they are not registered', () => {
    expect(validateWorkflow({ id: 'w', steps }, { agents: known })).toEqual([]);
    const others = { names: ['coder', 'planner'], has: (name: string) => name === 'planner' };
    expect(
      validateWorkflow({ id: 'w', steps }, { agents: others }).map(
        ({ pointer, message }) => `${pointer}: ${message}`,
      ),
    ).toEqual([
      '/steps/0/agent: no agent planer is registered: the step waits until a worker claims it; did you mean planner?',
      '/steps/1/agent: no agent Tester is registered: the step waits until a worker claims it',
      '/steps/1/verify: no agent planer is registered: the step waits until a worker claims it; did you mean planner?',
    ]);
    expect(faultsOf(steps)).toEqual([]);
  });
});

describe('a report', () => {
  it('lists the faults in the order of the text', () => {
    const text = `{
  "steps": [
    { "id": "a", "type": "agent", "agent": "x", "next": "b" }, // no step
  ],
  "id": "w", "output": "context.b",
}`;
    expect(validateWorkflow(text).map(({ line, column, code }) => [line, column, code])).toEqual([
      [3, 57, 'unknown-target'],
      [5, 25, 'unknown-step'],
    ]);
  });

  it('counts faults beyond the limit, and lists errors before warnings', () => {
    const steps = Array.from({ length: 500 }, (_, at) => agent(`s${at}`, { on_error: `s${at}` }));
    const { faults, more, definition } = readWorkflow({
      id: 'w',
      parallel: true,
      steps: [...steps, agent('s0')],
    });
    expect([faults.length, more, faults[0]?.code, definition]).toEqual([
      200,
      300,
      'duplicate-step-id',
      undefined,
    ]);
  });

  it('includes the definition if there is no error', () => {
    const definition = { id: 'w', steps: [agent('a', { on_error: 'a' })] };
    expect(readWorkflow(definition)).toMatchObject({
      definition,
      faults: [{ severity: 'warning' }],
    });
  });
});
