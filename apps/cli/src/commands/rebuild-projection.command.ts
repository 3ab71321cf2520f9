import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { followJob, detachedHint } from '../operations/follow-job.js';
import { jobSchema } from '../operations/job.js';

export const rebuildProjection = defineCommand({
  name: 'projection rebuild',
  summary: 'Rebuild the rows of a projection next to the live ones, then switch to them',
  arguments: [['<name>', 'the projection, as "projection list" shows it']],
  options: [
    ['--verify', 'compare all contexts with the live rows before the switch, not only a sample'],
    ['--rate <n>', 'apply at most n events per second'],
    ['--detach', 'do not wait for the end'],
  ],
  examples: [
    'throughline projection rebuild shared-context --verify',
    'throughline projection rebuild shared-context --rate 2000 --detach',
  ],
  input: z.object({
    name: z.string(),
    verify: z.boolean().default(false),
    rate: z.coerce.number('must be a whole number').int('must be a whole number').optional(),
    detach: z.boolean().default(false),
  }),
  run: async (session, { name, verify, rate, detach }) => {
    const { api, show } = session;
    const answer = await api.send({
      method: 'POST',
      path: path`projections/${name}/rebuild`,
      body: JSON.stringify({ verify, rate }),
    });
    const { jobId } = parseAnswer(jobSchema, answer);
    if (detach) return show(answer, () => `job ${jobId} is queued; ${detachedHint(jobId)}`);
    session.terminal.warn(`job ${jobId} is queued; Ctrl-C stops watching, not the job`);
    await followJob(session, jobId);
  },
});
