import { z } from 'zod';

import { defineCommand } from '../command.js';
import { printableLine } from '../printable.js';
import { claimLoop } from '../work/claim-loop.js';
import { requireExecutable } from '../work/require-executable.js';
import { listenForStopRequests } from '../work/stop-requests.js';

/** The time that programs have to end after a stop request. */
const stopGraceMs = 10_000;

export const work = defineCommand({
  name: 'work',
  summary: 'Carry out the steps of agents by a program: a process for each attempt',
  arguments: [['[argument...]', 'what the program is given, behind --']],
  options: [
    ['--agent <agent...>', 'the agents whose steps it takes'],
    ['--command <program>', 'the program, run without a shell'],
    ['--concurrency <n>', 'the most attempts at the same time (default 1)'],
    ['--once', 'end after one attempt, or if none came up within 20 s'],
  ],
  examples: [
    'throughline work --agent coder --command ./coder.sh',
    'throughline work --agent test-unit --agent test-e2e --concurrency 2 --command npm -- test',
  ],
  input: z.object({
    argument: z.array(z.string()).default([]),
    agent: z.array(z.string()),
    command: z.string().min(1),
    concurrency: z.coerce.number().int().min(1).max(1_000).default(1),
    once: z.boolean().default(false),
  }),
  run: async ({ api, env, terminal }, { argument: args, agent, command, concurrency, once }) => {
    await requireExecutable(command, env);
    const { stopping, killing, release } = listenForStopRequests(stopGraceMs);
    const program = { command, args };
    const log = (line: string) => terminal.warn(printableLine(line));
    log(`waiting for steps of ${agent.join(', ')}`);
    stopping.addEventListener('abort', () => log('stopping: what runs has ten seconds to end'));
    killing.addEventListener('abort', () => log('stopping now: what runs is ended'));
    const tools = { api, env, program, log, killing };
    await claimLoop({ agents: agent, concurrency, once }, tools, stopping).finally(release);
  },
});
