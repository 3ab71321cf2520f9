import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';

import { sendProblem } from './send-problem.js';
import { findProblem, type ProblemFacts } from './to-problem.js';

/** Turns whatever was thrown into a problem; what is our own fault is logged with its cause. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const found = findProblem(error);
    request.problem = found.code;
    if (isOurFault(found) && !hasGone(reply))
      this.logger.error({ err: error, requestId: request.id }, 'request failed');
    if (!reply.sent) sendProblem(reply, found);
  }
}

function isOurFault({ code }: ProblemFacts): boolean {
  return code === 'internal-error' || code === 'event-unreadable';
}

/** What fails because its client hung up is nobody's fault. */
function hasGone({ raw }: FastifyReply): boolean {
  return raw.destroyed && !raw.writableFinished;
}
