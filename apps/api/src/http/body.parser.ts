import { isUtf8 } from 'node:buffer';

import { type FastifyInstance, type FastifyRequest } from 'fastify';

import { ProblemError } from '../problems/problem.error.js';
import { InvalidJsonError } from './json/json.errors.js';
import { JsonLines, jsonLinesMediaType } from './json-lines.js';
import { readStrictJson } from './json/strict-json.js';

const mergePatch = 'application/merge-patch+json';

/** Only JSON in UTF-8; the exact text stays on the request, for the fingerprint of idempotency. */
export function useStrictBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  for (const type of ['application/json', mergePatch, jsonLinesMediaType])
    fastify.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
      try {
        refuseOtherCodings(request);
        const bytes = Buffer.from(body);
        done(null, type === jsonLinesMediaType ? readLines(bytes) : readBody(request, bytes));
      } catch (error) {
        // What is thrown here is always an Error; Fastify's callback asks to see it.
        done(error instanceof Error ? error : new Error('unreadable body'));
      }
    });
}

function readBody(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.byteLength === 0) return undefined;
  const { text, value } = readStrictJson(bytes);
  request.bodyText = text;
  return value;
}

function readLines(bytes: Buffer): JsonLines {
  if (!isUtf8(bytes)) throw new InvalidJsonError('the body is not valid UTF-8');
  return new JsonLines(bytes.toString());
}

function refuseOtherCodings({ headers, method }: FastifyRequest): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const coding = headers['content-encoding'] ?? 'identity';
  if (type.trim() === mergePatch && method !== 'PATCH')
    throw unsupported('only PATCH takes merge patches');
  if (parameters.some(isOtherCharset)) throw unsupported('the charset must be UTF-8');
  if (coding !== 'identity') throw unsupported('bodies must not be compressed');
}

function isOtherCharset(parameter: string): boolean {
  const text = parameter.trim();
  return text.startsWith('charset=') && !/^charset="?utf-?8"?$/.test(text);
}

function unsupported(detail: string): ProblemError {
  return new ProblemError('unsupported-media-type', detail);
}
