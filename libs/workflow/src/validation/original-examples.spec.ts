import { compileWorkflow } from '../definition/compile-workflow.js';
import { readWorkflow } from './validate-workflow.js';

/**
 * The definitions of the original specification of workflows, with the same structure, names and figures but other
 * descriptions. `faults`: `<line>:<column> <code>`; errors have an exclamation mark.
 */
type Example = Readonly<{ name: string; text: string; faults: readonly string[] }>;

const complete: readonly Example[] = [
  {
    name: 'a sequence with retries and error routes',
    text: `{
  "id": "feature-dev",
  "description": "From a plan to tested code",
  "max_iterations": 50,
  "max_duration_ms": 600000,
  "steps": [
    { "id": "plan", "type": "agent", "agent": "planner", "next": "code", "timeout_ms": 120000 },
    { "id": "code", "type": "agent", "agent": "coder", "next": "test", "max_retries": 2, "on_error": "plan" },
    { "id": "test", "type": "agent", "agent": "tester", "max_retries": 3, "on_error": "code" }
  ]
}`,
    faults: ['8:102 loop-without-limit'],
  },
  {
    name: 'tests side by side, then a report',
    text: `{
  "id": "comprehensive-test",
  "description": "All tests at once",
  "steps": [
    {
      "id": "parallel-tests",
      "type": "parallel",
      "steps": [
        { "id": "unit", "type": "agent", "agent": "test-unit" },
        { "id": "integration", "type": "agent", "agent": "test-integration" },
        { "id": "e2e", "type": "agent", "agent": "test-e2e" }
      ],
      "next": "report"
    },
    { "id": "report", "type": "agent", "agent": "reporter" }
  ]
}`,
    faults: [],
  },
  {
    name: 'a deployment that depends on the tests',
    text: `{
  "id": "smart-deploy",
  "description": "Deploys what is tested",
  "steps": [
    { "id": "test", "type": "agent", "agent": "tester", "next": "check-results" },
    {
      "id": "check-results",
      "type": "condition",
      "condition": "context.test.success === true",
      "then": "deploy",
      "else": "notify-failure"
    },
    { "id": "deploy", "type": "agent", "agent": "deployer" },
    { "id": "notify-failure", "type": "agent", "agent": "notifier" }
  ]
}`,
    faults: ['9:21 ambiguous-outcome'],
  },
  {
    name: 'two steps of a test',
    text: `{
  "id": "test-workflow",
  "description": "Two steps",
  "steps": [
    { "id": "step1", "type": "agent", "agent": "agent1", "next": "step2" },
    { "id": "step2", "type": "agent", "agent": "agent2" }
  ]
}`,
    faults: [],
  },
  {
    name: 'a parallel step of a test',
    text: `{
  "id": "parallel-test",
  "description": "Two at once",
  "steps": [
    { "id": "parallel", "type": "parallel", "steps": [
      { "id": "p1", "type": "agent", "agent": "agent1" },
      { "id": "p2", "type": "agent", "agent": "agent2" }
    ] }
  ]
}`,
    faults: [],
  },
  {
    name: 'a sequence that receives the context implicitly',
    text: `{
  "id": "feature-dev",
  "steps": [
    { "id": "plan", "type": "agent", "agent": "planner", "next": "code" },
    { "id": "code", "type": "agent", "agent": "coder", "next": "test" },
    { "id": "test", "type": "agent", "agent": "tester" }
  ]
}`,
    faults: [],
  },
  {
    name: 'research that accumulates',
    text: `{
  "id": "research-and-implement",
  "steps": [
    { "id": "research-1", "type": "agent", "agent": "researcher", "next": "research-2" },
    { "id": "research-2", "type": "agent", "agent": "researcher", "next": "synthesize" },
    { "id": "synthesize", "type": "agent", "agent": "synthesizer", "next": "code" },
    { "id": "code", "type": "agent", "agent": "coder" }
  ]
}`,
    faults: [],
  },
  {
    name: 'the development of a feature, with an approval, tests and a review',
    text: `{
  "id": "feature-development",
  "description": "A feature from its plan to its review",
  "steps": [
    { "id": "plan", "type": "agent", "agent": "planner", "next": "approve-plan" },
    {
      "id": "approve-plan",
      "type": "approval",
      "message": "Is this plan good?",
      "on_approve": "code",
      "on_reject": "plan"
    },
    { "id": "code", "type": "agent", "agent": "coder", "input": "plan", "next": "parallel-tests" },
    {
      "id": "parallel-tests",
      "type": "parallel",
      "steps": [
        { "id": "unit", "type": "agent", "agent": "test-unit" },
        { "id": "integration", "type": "agent", "agent": "test-integration" }
      ],
      "next": "check-tests"
    },
    {
      "id": "check-tests",
      "type": "condition",
      "condition": "context.parallel-tests.success === true",
      "then": "review",
      "else": "code"
    },
    { "id": "review", "type": "agent", "agent": "reviewer", "input": "code" }
  ]
}`,
    faults: ['11:20 loop-without-limit', '28:15 loop-without-limit'],
  },
];

const fragments: readonly Example[] = [
  {
    name: 'three steps without routes and without an id',
    text: `{
  "steps": [
    { "id": "plan", "type": "agent", "agent": "planner" },
    { "id": "code", "type": "agent", "agent": "coder" },
    { "id": "test", "type": "agent", "agent": "tester" }
  ]
}`,
    faults: ['1:1 missing-member!'],
  },
  {
    name: 'the same with an id: steps do not follow each other by their position',
    text: `{
  "id": "w",
  "steps": [
    { "id": "plan", "type": "agent", "agent": "planner" },
    { "id": "code", "type": "agent", "agent": "coder" },
    { "id": "test", "type": "agent", "agent": "tester" }
  ]
}`,
    faults: ['5:5 unreachable-step!', '6:5 unreachable-step!'],
  },
  {
    name: 'explicit references, with comments and a trailing comma, without an id',
    text: `{
  "steps": [
    { "id": "plan", "type": "agent", "agent": "planner", "next": "code" },
    { "id": "code", "type": "agent", "agent": "coder",
      "input": "plan",  // refers to a step
      "next": "test" },
    { "id": "test", "type": "agent", "agent": "tester",
      "input": "code",  // and so does this
    }
  ]
}`,
    faults: ['1:1 missing-member!'],
  },
  {
    name: 'the same with an id',
    text: `{
  "id": "w",
  "steps": [
    { "id": "plan", "type": "agent", "agent": "planner", "next": "code" },
    { "id": "code", "type": "agent", "agent": "coder",
      "input": "plan",  // refers to a step
      "next": "test" },
    { "id": "test", "type": "agent", "agent": "tester",
      "input": "code",  // and so does this
    }
  ]
}`,
    faults: [],
  },
  {
    name: 'a transformation, with comments and a trailing comma, with an id',
    text: `{
  "id": "w",
  "steps": [
    { "id": "plan", "type": "agent", "agent": "planner", "next": "extract" },
    {
      "id": "extract",
      "type": "transform",
      "transform": "context.plan.files",  // only the files
      "output": "files",
      "next": "code"
    },
    { "id": "code", "type": "agent", "agent": "coder", "input": "files", }
  ]
}`,
    faults: [],
  },
  {
    name: 'the same without an id',
    text: `{
  "steps": [
    { "id": "extract", "type": "transform", "transform": "context.plan.files", "output": "files", },
  ]
}`,
    faults: ['1:1 missing-member!'],
  },
  {
    name: 'the configuration of workflows, which is not a definition',
    text: `{
  "enabled": true,
  "workflows_dir": "./workflows",
  "workflows": { "feature-dev": { "enabled": true, "visible_to": ["plan", "build"] } }
}`,
    faults: [
      '1:1 missing-member!',
      '1:1 missing-member!',
      '3:3 unknown-member!',
      '4:3 unknown-member!',
    ],
  },
];

/** A single step, which is not a workflow by itself. */
type StepExample = Readonly<{ name: string; step: string; withOthers: readonly string[] }>;

const steps: readonly StepExample[] = [
  {
    name: 'retries of one step',
    step: '{ "id": "flaky-test", "type": "agent", "agent": "tester", "max_retries": 3, "retry_delay_ms": 1000, "on_error": "notify" }',
    withOthers: ['unknown-target!'],
  },
  {
    name: 'a route for recovery',
    step: '{ "id": "code", "type": "agent", "agent": "coder", "next": "test", "on_error": "fix" }',
    withOthers: ['unknown-target!', 'unknown-target!'],
  },
  {
    name: 'parallel tests',
    step: `{ "id": "parallel-tests", "type": "parallel", "next": "report", "steps": [
      { "id": "unit", "type": "agent", "agent": "test-unit" },
      { "id": "integration", "type": "agent", "agent": "test-integration" } ] }`,
    withOthers: ['unknown-target!'],
  },
  {
    name: 'a time limit',
    step: '{ "id": "slow-task", "type": "agent", "agent": "analyzer", "timeout_ms": 30000, "on_error": "skip" }',
    withOthers: [],
  },
  {
    name: 'three kinds of tests',
    step: `{ "id": "parallel-tests", "type": "parallel", "steps": [
      { "id": "unit", "type": "agent", "agent": "test-unit" },
      { "id": "integration", "type": "agent", "agent": "test-integration" },
      { "id": "e2e", "type": "agent", "agent": "test-e2e" } ] }`,
    withOthers: [],
  },
  {
    name: 'a step of a test',
    step: '{ "id": "test", "type": "agent", "agent": "test-agent", "max_retries": 3 }',
    withOthers: [],
  },
];

describe('the definitions of the original specification', () => {
  it.each(complete)('$name: runs unchanged', ({ text, faults }) => {
    const { definition } = readWorkflow(text);
    expect([
      positionsIn(text),
      definition && compileWorkflow(definition).root.entries.length,
    ]).toEqual([faults, 1]);
  });

  it.each(fragments)('$name', ({ text, faults }) => {
    expect(positionsIn(text)).toEqual(faults);
    const isRefused = faults.some((fault) => fault.endsWith('!'));
    expect(readWorkflow(text).definition === undefined).toBe(isRefused);
  });

  it.each(steps)('$name: is rejected alone, since it is a step', ({ step }) => {
    const { faults } = readWorkflow(step);
    expect(faults).toContainEqual(
      expect.objectContaining({
        code: 'unknown-member',
        severity: 'error',
        pointer: '/type',
        message: 'type is a member of steps: put this step into the list "steps" of a workflow',
      }),
    );
  });

  it.each(steps)('$name: as the only step of a workflow', ({ step, withOthers }) => {
    const { faults } = readWorkflow(`{ "id": "w", "steps": [${step}] }`);
    expect(faults.map(codeOf)).toEqual(withOthers);
  });
});

function positionsIn(text: string): readonly string[] {
  return readWorkflow(text).faults.map((fault) => `${fault.line}:${fault.column} ${codeOf(fault)}`);
}

function codeOf({ code, severity }: Readonly<{ code: string; severity: string }>): string {
  return `${code}${severity === 'error' ? '!' : ''}`;
}
