import { type Principal } from '#application';

import { type ProblemCode } from '../problems/problem-code.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read; null on paths that need no key. */
    principal: Principal | null;
    /** The text of the request body, byte for byte. Empty if the request had no body. */
    bodyText: string;
    /** The code of the returned problem, for the log. */
    problem: ProblemCode | null;
  }
}
