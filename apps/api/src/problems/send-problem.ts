import { type FastifyReply } from 'fastify';

import { type ProblemFacts, toProblem } from './to-problem.js';
import { problemTable } from './problem-table.js';

/** Answers with problem+json. `instance` is the path without the query, because queries may contain search terms. */
export function sendProblem(reply: FastifyReply, problem: ProblemFacts): void {
  const { status, retryAfter } = problemTable[problem.code];
  const [instance = '/'] = reply.request.originalUrl.split('?', 1);
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter));
  reply
    .status(status)
    .header('X-Request-Id', reply.request.id)
    .header('Cache-Control', 'private, no-cache')
    .header('Content-Type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify(toProblem(detailForMethod(problem, reply.request.method), instance)));
}

/** For reads, removes the statement that nothing was stored. */
function detailForMethod(problem: ProblemFacts, method: string): ProblemFacts {
  if (problem.code !== 'unavailable' || problem.detail !== undefined || method !== 'GET')
    return problem;
  return {
    ...problem,
    detail:
      'the database or the event store could not be reached: repeat the request after Retry-After',
  };
}
