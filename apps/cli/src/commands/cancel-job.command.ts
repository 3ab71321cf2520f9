import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { describeJob, jobSchema } from '../operations/job.js';

export const cancelJob = defineCommand({
  name: 'projection cancel',
  summary: 'Cancel a rebuild; after its switch, restore the old rows',
  arguments: [['<job>', 'id of the job, as "job list" shows it']],
  examples: ['throughline projection cancel 0197f0c2-6d3e-7a51-9b0f-3c1d5e8a2b44'],
  input: z.object({ job: z.string() }),
  run: async ({ api, show }, { job }) => {
    const answer = await api.send({ method: 'POST', path: path`jobs/${job}/cancel` });
    show(answer, () => describeJob(parseAnswer(jobSchema, answer)));
  },
});
