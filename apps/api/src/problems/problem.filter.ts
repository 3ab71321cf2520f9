import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';

import { sendProblem } from './send-problem.js';
import { findProblem } from './to-problem.js';

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
    if (found.code === 'internal-error' || found.code === 'event-unreadable')
      this.logger.error({ err: error, requestId: request.id }, 'request failed');
    if (!reply.sent) sendProblem(reply, found);
  }
}
