import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { defineCommand } from '../command.js';
import { amountOf, jobSchema } from '../operations/job.js';
import { pageInput, pageOf, pageOptions, withNext } from '../paging.js';
import { formatTable } from '../table.js';

const page = pageOf(jobSchema);

export const listJobs = defineCommand({
  name: 'job list',
  summary: 'List rebuild jobs, newest first',
  options: pageOptions,
  examples: ['throughline job list'],
  input: pageInput,
  run: async ({ api, show }, query) => {
    const answer = await api.send({ path: 'jobs', query });
    show(answer, () => render(parseAnswer(page, answer)));
  },
});

function render({ items, nextCursor }: z.output<typeof page>): string {
  if (items.length === 0) return 'no jobs; "throughline projection rebuild" creates one';
  const rows = items.map((job) => [
    job.jobId,
    job.projection,
    job.state,
    job.phase,
    amountOf(job),
    job.different,
    job.requestedBy,
    job.createdAt,
  ]);
  const headings = ['JOB', 'PROJECTION', 'STATE', 'PHASE', 'EVENTS', 'DIFFERENT', 'BY', 'CREATED'];
  return withNext(formatTable(headings, rows), nextCursor);
}
