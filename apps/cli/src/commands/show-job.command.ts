import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { followJob } from '../operations/follow-job.js';
import { describeJob, jobSchema } from '../operations/job.js';

export const showJob = defineCommand({
  name: 'job show',
  summary: 'Show a job and its progress',
  arguments: [['<job>', 'id of the job, as "job list" shows it']],
  options: [['--follow', 'watch it until it is settled, with a progress bar']],
  examples: ['throughline job show 0197f0c2-6d3e-7a51-9b0f-3c1d5e8a2b44 --follow'],
  input: z.object({ job: z.string(), follow: z.boolean().default(false) }),
  run: async (session, { job, follow }) => {
    if (follow) return followJob(session, job);
    const answer = await session.api.send({ path: path`jobs/${job}` });
    session.show(answer, () => describeJob(parseAnswer(jobSchema, answer)));
  },
});
