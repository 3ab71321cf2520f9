import { type FastifyReply } from 'fastify';

import { type ProblemFacts, toProblem } from './to-problem.js';
import { problemTable } from './problem-table.js';

/** Answers with problem+json. `instance` is the path alone: queries may hold what people searched for. */
export function sendProblem(reply: FastifyReply, found: ProblemFacts): void {
  const { status, retryAfter } = problemTable[found.code];
  const [instance = '/'] = reply.request.originalUrl.split('?', 1);
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter));
  reply
    .status(status)
    .header('X-Request-Id', reply.request.id)
    .header('Cache-Control', 'private, no-cache')
    .header('Content-Type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify(toProblem(fitting(found, reply.request.method), instance)));
}

/** The answer to a read does not state that nothing was stored. */
function fitting(found: ProblemFacts, method: string): ProblemFacts {
  if (found.code !== 'unavailable' || found.detail !== undefined || method !== 'GET') return found;
  return {
    ...found,
    detail:
      'the database or the event store could not be reached: repeat the request after Retry-After',
  };
}
