import { isUtf8 } from 'node:buffer';

import { NotFoundException } from '@nestjs/common';
import { type FastifyInstance, type FastifyRequest } from 'fastify';

import { InvalidJsonError } from '../json/json.errors.js';
import { readBodyJson } from '../json/strict-json.js';
import { ProblemError } from '../problems/problem.error.js';
import { TextBody, textMediaTypes } from './text-body.js';

const mergePatch = 'application/merge-patch+json';
const texts: ReadonlySet<string> = new Set(textMediaTypes);
const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Accepts only JSON in UTF-8, and texts for imports. Stores the exact text on the request, for the fingerprint of its idempotency key.
 * `takesText` returns whether the endpoint at a path parses the text of its body itself, including JSON.
 */
export function useStrictBodies(
  fastify: FastifyInstance,
  takesText: (path: string) => boolean,
): void {
  fastify.removeAllContentTypeParsers();
  // Runs before a byte of the body is read; synchronous, because it runs for every request.
  fastify.addHook('preParsing', (request, _reply, _body, done) => {
    const { method, routeOptions } = request;
    if (!withBody.has(method) || takesText(routeOptions.url ?? '')) done();
    else done(refusalOfText(request));
  });
  for (const type of ['application/json', mergePatch, ...textMediaTypes])
    fastify.addContentTypeParser(
      type,
      { parseAs: 'buffer' },
      async (request: FastifyRequest, bytes: Buffer) => {
        refuseOtherCodings(request);
        const isText = texts.has(type) || takesText(request.routeOptions.url ?? '');
        return isText ? readText(request, type, bytes) : await readBody(request, bytes);
      },
    );
}

/** Undefined if the body is not one of the texts for imports. */
function refusalOfText({ headers, is404 }: FastifyRequest): Error | undefined {
  const [mediaType = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  if (!texts.has(mediaType.trim())) return undefined;
  return is404
    ? new NotFoundException()
    : unsupported(`${mediaType.trim()} is accepted by imports only`);
}

async function readBody(request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  if (bytes.byteLength === 0) return undefined;
  const { text, value } = await readBodyJson(bytes);
  request.bodyText = text;
  return value;
}

function readText(request: FastifyRequest, mediaType: string, bytes: Buffer): TextBody {
  if (!isUtf8(bytes)) throw new InvalidJsonError('the body is not valid UTF-8');
  request.bodyText = bytes.toString();
  return new TextBody(mediaType, request.bodyText);
}

function refuseOtherCodings({ headers, method }: FastifyRequest): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const coding = headers['content-encoding'] ?? 'identity';
  if (type.trim() === mergePatch && method !== 'PATCH')
    throw unsupported('only PATCH accepts merge patches');
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
