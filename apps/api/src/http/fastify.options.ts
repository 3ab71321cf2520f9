import { type FastifyReply, type FastifyRequest } from 'fastify';

import { sendProblem } from '../problems/send-problem.js';
import { findProblem } from '../problems/to-problem.js';
import { handleClientError } from './client-error.handler.js';
import { closeUnlessRead } from './connections.js';
import { routeOf } from './request-checks.js';
import { requestIdOf } from './request-log.hook.js';

const mebibyte = 1_048_576;

const bodyLimit = mebibyte;

/** For whole documents and imports. */
export const documentBodyLimit = 16 * mebibyte;

/** 256 code points of four bytes, with each byte percent-encoded. */
const maxParamLength = 256 * 4 * 3;

export const fastifyOptions = {
  bodyLimit,
  genReqId: requestIdOf,
  rewriteUrl: routeOf,
  clientErrorHandler: handleClientError,
  // Fastify runs no hooks for these errors.
  frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
    closeUnlessRead(request, reply);
    sendProblem(reply, findProblem(error));
  },
  routerOptions: { maxParamLength },
  skipMiddie: true,
  return503OnClosing: false,
  forceCloseConnections: 'idle',
  keepAliveTimeout: 72_000,
  requestTimeout: 120_000,
  // The API reports a missing Host header itself, as a problem.
  http: { headersTimeout: 20_000, maxHeaderSize: 16_384, requireHostHeader: false },
} as const;
