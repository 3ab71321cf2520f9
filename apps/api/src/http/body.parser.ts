import { isUtf8 } from 'node:buffer';

import { type FastifyInstance, type FastifyRequest } from 'fastify';

import { ProblemError } from '../problems/problem.error.js';
import { InvalidJsonError } from './json/json.errors.js';
import { JsonLines, jsonLinesMediaType } from './json-lines.js';
import { readBodyJson } from './json/strict-json.js';

const mergePatch = 'application/merge-patch+json';

/** Only JSON in UTF-8; the exact text stays on the request, for the fingerprint of idempotency. */
export function useStrictBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  for (const type of ['application/json', mergePatch, jsonLinesMediaType])
    fastify.addContentTypeParser(
      type,
      { parseAs: 'buffer' },
      async (request: FastifyRequest, bytes: Buffer) => {
        refuseOtherCodings(request);
        return type === jsonLinesMediaType ? readLines(bytes) : await readBody(request, bytes);
      },
    );
}

async function readBody(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  if (bytes.byteLength === 0) return undefined;
  const { text, value } = await readBodyJson(bytes);
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
