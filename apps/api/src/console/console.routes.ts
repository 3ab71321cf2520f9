import { readFile } from 'node:fs/promises';

import { NotFoundException } from '@nestjs/common';
import { type CommandBus } from '@nestjs/cqrs';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { z } from 'zod';

import { OpenRootSessionCommand, OpenSessionCommand, type Session } from '#application';

import { parseInput } from '../http/parse-input.js';
import { ProblemError } from '../problems/problem.error.js';
import { requireConsolePage } from '../http/same-origin.js';
import { sessionCookie } from '../http/session-cookie.js';
import { sendAsset } from './assets.js';
import { type SignInCodes } from './sign-in-codes.js';

/** The page of the built console; its files are in `assets`. */
const builtPage = new URL('../../../../console/index.html', import.meta.url);

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': contentSecurityPolicy,
  // With `no-referrer`, browsers send `Origin: null` with writes.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};

const signInSchema = z
  .strictObject({
    key: z.string().min(1).max(4_096).optional(),
    code: z.string().min(1).max(128).optional(),
  })
  .refine(({ key, code }) => (key === undefined) !== (code === undefined), {
    message: 'needs either "key" or "code"',
  });

/** Routes that need no key: the files of the console, and its sign-in. */
export const consoleRoutes: ReadonlySet<string> = new Set([
  '/console',
  '/console/*',
  '/console/assets/:name',
  '/console/session',
]);

/** The web console: its page under every path below `/console`, its files, and sign-in and sign-out. */
export function addConsoleRoutes(
  fastify: FastifyInstance,
  { commands, codes }: Readonly<{ commands: CommandBus; codes: SignInCodes }>,
): void {
  fastify.get('/console/assets/:name', sendAsset);
  const page = once(readPage);
  const sendPage = async (_request: FastifyRequest, reply: FastifyReply) =>
    reply.headers(pageHeaders).send(await page());
  fastify.get('/console', sendPage);
  fastify.get('/console/*', sendPage);
  fastify.post('/console/session', (request, reply) => signIn(request, reply, commands, codes));
  fastify.delete('/console/session', (request, reply) => {
    requireConsolePage(request);
    return reply.code(204).header('Set-Cookie', sessionCookie(request.headers, undefined)).send();
  });
}

async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  commands: CommandBus,
  codes: SignInCodes,
): Promise<FastifyReply> {
  requireConsolePage(request);
  const input = parseInput(signInSchema, request.body);
  const session = await openSession(input, commands, codes);
  if (!session)
    throw new ProblemError(
      'unauthenticated',
      input.key !== undefined
        ? 'the key is unknown, expired or revoked'
        : 'the link was used before, has expired, or belongs to another start of the server: sign in with a key',
    );
  const { name, role } = session.principal;
  return reply
    .code(201)
    .header('Set-Cookie', sessionCookie(request.headers, session))
    .send({ principal: name, role, expiresAt: session.expiresAt.toISOString() });
}

async function openSession(
  { key, code = '' }: z.infer<typeof signInSchema>,
  commands: CommandBus,
  codes: SignInCodes,
): Promise<Session | null> {
  if (key !== undefined) return commands.execute(new OpenSessionCommand(key));
  return codes.redeem(code) ? commands.execute(new OpenRootSessionCommand()) : null;
}

async function readPage(): Promise<Buffer> {
  try {
    return await readFile(builtPage);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new NotFoundException('the console is not part of this build');
  }
}

/** A failure is not cached. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () =>
    (value ??= read().catch((error: unknown) => {
      value = undefined;
      throw error;
    }));
}
