import { z } from 'zod';

import { type ApiClient, parseAnswer, path } from '../api-client.js';
import { CliError, UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { deadLetterSchema, retriedSchema } from '../operations/dead-letter.js';
import { pageOf } from '../paging.js';
import { type Session } from '../session.js';
import { printableLine } from '../printable.js';

const page = pageOf(deadLetterSchema);
const largestPage = 500;

export const retryDeadLetter = defineCommand({
  name: 'dead-letter retry',
  summary: 'Apply the missed events of a quarantined context',
  arguments: [['[id]', 'id of the dead letter, as "dead-letter list" shows it']],
  options: [['--all', 'retry all dead letters']],
  examples: [
    'throughline dead-letter retry 0197f0c2-6d3e-7a51-9b0f-3c1d5e8a2b44',
    'throughline dead-letter retry --all',
  ],
  input: z.object({ id: z.string().optional(), all: z.boolean().default(false) }),
  run: async (session, { id, all }) => {
    if (all === (id !== undefined)) throw new UsageError('name one dead letter, or pass --all');
    const ids = id === undefined ? await findAll(session.api) : [id];
    let failed = 0;
    for (const each of ids) if (!(await retry(session, each))) failed++;
    if (ids.length === 0) session.terminal.warn('there are no dead letters');
    if (failed > 0) throw new CliError(`${failed} of ${ids.length} could not be applied again`);
  },
});

/** Reads all ids before the first retry, so that a repeated failure is not retried twice. */
async function findAll(api: ApiClient): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: largestPage, cursor };
    const result = parseAnswer(page, await api.send({ path: 'dead-letters', query }));
    ids.push(...result.items.map(({ id }) => id));
    cursor = result.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

async function retry({ api, show }: Session, id: string): Promise<boolean> {
  const answer = await api.send({ method: 'POST', path: path`dead-letters/${id}/retry` });
  const { done, deadLetter } = parseAnswer(retriedSchema, answer);
  const error = printableLine(deadLetter?.error ?? 'no reason given');
  show(answer, () => (done ? `${id} is applied` : `${id} failed again: ${error}`));
  return done;
}
