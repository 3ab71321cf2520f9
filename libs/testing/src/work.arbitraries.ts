import fc from 'fast-check';

import { type ContextCommand } from '#shared-context';

import { command } from './weighted-command.js';

const id = fc.constantFrom('a', 'b', '__proto__', '1', 'ä 😀');
const agent = fc.constantFrom('ada', 'bob', undefined);
const reason = fc.constantFrom('x', 'y', undefined);
const subject = fc.constantFrom('a', '__proto__');
const max = fc.constantFrom(1, 2, 3, undefined);

const task = fc.record({ taskId: id });
const plannedTask = fc.record(
  {
    taskId: id,
    title: fc.constantFrom('x', 'y'),
    dependsOn: fc.option(fc.array(id, { maxLength: 2 }), { nil: undefined }),
    estimate: fc.constantFrom(0, 1.5, undefined),
  },
  { requiredKeys: ['taskId', 'title'] },
);

/** Tasks, phases and loops. There are so few of them that commands refer to the same ones. */
export const workCommand: fc.Arbitrary<ContextCommand> = fc.oneof(
  command('PlanTask', plannedTask, 3),
  command('StartTask', fc.record({ taskId: id, agent }, { requiredKeys: ['taskId'] }), 3),
  command('BlockTask', fc.record({ taskId: id, reason: fc.constantFrom('x', 'y') }), 2),
  command('CompleteTask', task, 2),
  command('StartPhase', fc.record({ phase: subject, agent }, { requiredKeys: ['phase'] }), 2),
  command(
    'CompletePhase',
    fc.record(
      {
        phase: subject,
        agent,
        outputs: fc.option(fc.array(fc.constant('a.md'), { maxLength: 1 }), { nil: undefined }),
      },
      { requiredKeys: ['phase'] },
    ),
    2,
  ),
  command(
    'ImportBaseline',
    fc.record({ counters: fc.record({ totalTasks: fc.constantFrom(0, 7, undefined) }) }),
    1,
  ),
  command('StartIteration', fc.record({ subject, max }, { requiredKeys: ['subject'] }), 6),
  command('TripCircuitBreaker', fc.record({ subject, reason }, { requiredKeys: ['subject'] }), 1),
  command(
    'ResetCircuitBreaker',
    fc.record(
      { subject, reason, max: fc.constantFrom(1, 5, undefined) },
      { requiredKeys: ['subject'] },
    ),
    2,
  ),
);
