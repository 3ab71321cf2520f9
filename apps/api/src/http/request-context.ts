import { type Principal } from '#application';

import { type ProblemCode } from '../problems/problem-code.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read; null on the few paths that need no key. */
    principal: Principal | null;
    /** The body exactly as it was sent; empty if there was none. */
    bodyText: string;
    /** The code of the problem answered, for the log. */
    problem: ProblemCode | null;
  }
}
