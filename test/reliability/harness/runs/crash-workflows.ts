/** The agent of all steps: one kind of worker executes all of them. */
export const workerAgent = 'worker';

type Recovery = 'replay_safe' | 'keyed' | 'verify' | 'ask';

/** The behavior of the outside server for a step; see `outside-server.ts`. */
export type StepParameters = Readonly<{
  /** The number of attempts of a visit that fail before one takes effect. */
  fails?: number;
  /** The number of attempts of a visit that get no answer. */
  hangs?: number;
  /** The visit whose output is accepted. */
  goodAt?: number;
}>;

const work = (id: string, recovery: Recovery, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  type: 'agent',
  agent: workerAgent,
  recovery,
  ...more,
});

/** Small enough to try each index of their events, and with every type of step and of recovery. */
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
      // A server takes longer to start: attempts may time out several times during it.
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

/** The steps of a workflow that a worker executes, including those of parallel steps, with their recovery. */
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
