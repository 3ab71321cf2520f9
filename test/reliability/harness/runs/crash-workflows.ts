/** The agent of every step: one kind of worker carries all of them out. */
export const workerAgent = 'worker';

type Recovery = 'replay_safe' | 'keyed' | 'verify' | 'ask';

/** What the outside server does with the effects of a step; see `outside-server.ts`. */
export type StepParameters = Readonly<{
  /** So many attempts of a visit fail before one takes effect. */
  fails?: number;
  /** So many attempts of a visit get no answer at all. */
  hangs?: number;
  /** The visit whose output is good. */
  goodAt?: number;
}>;

const work = (id: string, recovery: Recovery, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  type: 'agent',
  agent: workerAgent,
  recovery,
  ...more,
});

/** So small that every index of their events can be tried, and with every type of step and of recovery among them. */
export const crashWorkflows = [
  {
    id: 'sequence',
    steps: [
      work('first', 'replay_safe', { next: 'second' }),
      work('second', 'keyed', { input: 'first', next: 'third' }),
      work('third', 'verify'),
    ],
  },
  {
    id: 'condition',
    steps: [
      work('look', 'keyed', { next: 'fork' }),
      { id: 'fork', type: 'condition', condition: 'context.look.good', then: 'yes', else: 'no' },
      work('yes', 'verify'),
      work('no', 'replay_safe'),
    ],
  },
  {
    id: 'loop',
    steps: [
      work('code', 'keyed', { parameters: { goodAt: 3 }, next: 'good' }),
      { id: 'good', type: 'condition', condition: 'context.code.good', then: 'end', else: 'code' },
      { id: 'end', type: 'transform', transform: 'context.code.visit' },
    ],
  },
  {
    id: 'retry',
    steps: [
      work('flaky', 'replay_safe', { parameters: { fails: 2 }, max_retries: 5, next: 'after' }),
      work('after', 'ask'),
    ],
  },
  {
    id: 'parallel',
    steps: [
      {
        id: 'beside',
        type: 'parallel',
        next: 'sum',
        steps: [work('left', 'keyed'), work('middle', 'verify'), work('right', 'ask')],
      },
      { id: 'sum', type: 'transform', transform: 'context.left.visit + context.right.visit' },
    ],
  },
  {
    id: 'nested',
    steps: [
      {
        id: 'outer',
        type: 'parallel',
        next: 'last',
        steps: [
          { id: 'inner', type: 'parallel', steps: [work('a', 'keyed'), work('b', 'replay_safe')] },
          work('c', 'keyed', { next: 'd' }),
          work('d', 'replay_safe'),
        ],
      },
      work('last', 'keyed'),
    ],
  },
  {
    id: 'approval',
    steps: [
      work('draft', 'keyed', { next: 'approve' }),
      {
        id: 'approve',
        type: 'approval',
        message: 'Reject the first draft.',
        on_approve: 'ship',
        on_reject: 'draft',
      },
      work('ship', 'ask'),
    ],
  },
  {
    id: 'transform',
    output: 'context.twice * 10',
    steps: [
      work('seed', 'keyed', { next: 'once' }),
      { id: 'once', type: 'transform', transform: 'context.seed.visit + 1', next: 'twice' },
      { id: 'twice', type: 'transform', transform: 'context.once * 2' },
    ],
  },
  {
    id: 'handler',
    steps: [
      work('breaks', 'replay_safe', { parameters: { fails: 1_000 }, on_error: 'repair' }),
      work('repair', 'ask', { next: 'done' }),
      work('done', 'verify'),
    ],
  },
  {
    id: 'timeout',
    steps: [
      // The time that a server takes to start is longer: attempts may end by it again and again.
      work('slow', 'keyed', {
        parameters: { hangs: 1 },
        timeout_ms: 500,
        max_retries: 50,
        next: 'then',
      }),
      work('then', 'replay_safe'),
    ],
  },
] as const;

export type CrashWorkflow = (typeof crashWorkflows)[number];

export function workflowNamed(name: CrashWorkflow['id']): CrashWorkflow {
  const found = crashWorkflows.find(({ id }) => id === name);
  if (!found) throw new Error(`there is no workflow "${name}"`);
  return found;
}

/** The steps of a workflow that a worker carries out, those within parallel steps included, with their recovery. */
export function recoveriesOf(definition: CrashWorkflow): Map<string, Recovery> {
  const found = new Map<string, Recovery>();
  const pending: unknown[] = [...definition.steps];
  for (let step = pending.shift(); step !== undefined; step = pending.shift()) {
    const {
      id,
      recovery,
      steps = [],
    } = step as {
      id: string;
      recovery?: Recovery;
      steps?: readonly unknown[];
    };
    if (recovery) found.set(id, recovery);
    pending.push(...steps);
  }
  return found;
}
