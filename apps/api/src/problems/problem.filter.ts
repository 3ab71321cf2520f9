import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';

import { sendProblem } from './send-problem.js';
import { findProblem, type ProblemFacts } from './to-problem.js';

/** Converts every error into a problem, and logs errors of the server with their cause. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const problem = findProblem(error);
    request.problem = problem.code;
    if (isServerError(problem) && !isDisconnected(reply))
      this.logger.error({ err: error, requestId: request.id }, 'request failed');
    if (!reply.sent) sendProblem(reply, problem);
  }
}

function isServerError({ code }: ProblemFacts): boolean {
  return code === 'internal-error' || code === 'event-unreadable';
}

/** An error after the client has disconnected is a consequence of that, and is not logged. */
function isDisconnected({ raw }: FastifyReply): boolean {
  return raw.destroyed && !raw.writableFinished;
}
