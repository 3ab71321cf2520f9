import { HttpException } from '@nestjs/common';

import { type ProblemCode } from './problem-code.js';

/** The problem code for errors of Fastify and Nest, by status. Their messages are not returned, because they name internals. */
const codeByStatus: Readonly<Record<number, ProblemCode>> = {
  400: 'invalid-header',
  404: 'not-found',
  405: 'not-found',
  408: 'request-timeout',
  413: 'payload-too-large',
  414: 'validation-failed',
  415: 'unsupported-media-type',
  431: 'invalid-header',
  503: 'unavailable',
};

export function fromFastify(error: unknown): Readonly<{ code: ProblemCode }> | undefined {
  const code = codeByStatus[statusOf(error) ?? 0];
  return code && { code };
}

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return undefined;
  const { code, statusCode } = error;
  if (typeof code !== 'string' || !code.startsWith('FST_ERR')) return undefined;
  return typeof statusCode === 'number' ? statusCode : undefined;
}
