import { z } from 'zod';

import { cliErrorOf, createClient } from '../api-client.js';
import { defineCommand } from '../command.js';
import { printableLine } from '../printable.js';
import { logAttempts } from '../work/log-attempts.js';
import { Outages } from '../work/outages.js';
import { requireExecutable } from '../work/require-executable.js';
import { listenForStopRequests } from '../work/stop-requests.js';
import { workHandler } from '../work/work-handler.js';

/** The time that programs have to end after a stop request. */
const stopGraceMs = 10_000;

export const work = defineCommand({
  name: 'work',
  summary: 'Run a program for the steps of agents: one process for each attempt',
  arguments: [['[argument...]', 'arguments of the program, after --']],
  options: [
    ['--agent <agent...>', 'agents whose steps are claimed'],
    ['--command <program>', 'the program, run without a shell'],
    ['--concurrency <n>', 'maximum number of concurrent attempts (default 1)'],
    ['--once', 'end after one attempt, or after 20 s without one'],
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
  run: async (
    { connect, env, terminal },
    { argument: args, agent, command, concurrency, once },
  ) => {
    await requireExecutable(command, env);
    const { stopping, killing, release } = listenForStopRequests(stopGraceMs);
    const log = (line: string) => terminal.warn(printableLine(line));
    log(`waiting for steps of ${agent.join(', ')}`);
    stopping.addEventListener('abort', () =>
      log('stopping: running programs have ten seconds to end'),
    );
    killing.addEventListener('abort', () => log('stopping now: running programs are terminated'));
    const outages = new Outages(log);
    const connection = connect();
    const client = createClient(connection, ({ statusCode = 0 }) => outages.answered(statusCode));
    await client
      .work({
        agent,
        concurrency,
        once,
        signal: stopping,
        graceMs: stopGraceMs,
        ...logAttempts(log, workHandler({ env, program: { command, args }, killing })),
        onError: (error) => outages.begin(error),
      })
      .catch((error: unknown) => Promise.reject(cliErrorOf(error, connection)))
      .finally(release);
  },
});
