import { type IncomingHttpHeaders } from 'node:http';

import { type WriteOrigin } from '#application';
import { trustLevels } from '#event-sourcing';

import { ProblemError } from '../problems/problem.error.js';

/** The parsed headers of a write. */
export type WriteHeaders = Readonly<{
  ifMatch: number | undefined;
  /** Whether `If-Match` is the ETag of a copy for an audience or of some members, which differs from that of the whole document. */
  matchesCopy: boolean;
  idempotencyKey: string | undefined;
  origin: WriteOrigin;
}>;

/** Matches any ETag of a context. Only the version counts, not the audience or the parts of the copy. */
const versionTag = /^(?:W\/)?"(0|[1-9]\d{0,14})(?:-[0-9a-f]{16})?"$/;
const ifMatchRule =
  'must be an ETag of this server in quotes, such as "5": read the context to get the current one';
const visibleAscii = /^[\x21-\x7e]{1,255}$/;
const receipt = /^[\x21-\x7e]{1,4096}$/;
const workspaceName = /^[A-Za-z0-9._-]{1,128}$/;
const bearer = /^Bearer +([\x21-\x7e]+)$/i;

/** Throws `invalid-header` if a header is malformed. */
export function readWriteHeaders(headers: IncomingHttpHeaders): WriteHeaders {
  const ifMatch = matching(headers, 'if-match', versionTag, ifMatchRule);
  return {
    ifMatch: ifMatch === undefined ? undefined : Number(versionTag.exec(ifMatch)?.[1]),
    matchesCopy: ifMatch?.includes('-') ?? false,
    idempotencyKey: visible(headers, 'idempotency-key'),
    origin: {
      correlationId: visible(headers, 'correlation-id'),
      causationId: visible(headers, 'causation-id'),
      basedOn: matching(headers, 'based-on', receipt, 'must be the receipt of a read'),
      trust: readTrust(headers),
    },
  };
}

/** Undefined without the header; only the root key may name a workspace. */
export function readWorkspace(headers: IncomingHttpHeaders): string | undefined {
  return matching(headers, 'workspace', workspaceName, 'must be the name of a workspace');
}

export function readBearer({ authorization }: IncomingHttpHeaders): string | undefined {
  return bearer.exec(authorization ?? '')?.[1];
}

/** `name` is in lower case; `rule` completes the sentence that begins with the name. */
export function malformedHeader(name: string, rule: string): ProblemError {
  const displayName = name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
  return new ProblemError('invalid-header', `${displayName} ${rule}`);
}

/** Whether `If-None-Match` contains `etag`. Compares weakly; a malformed value matches nothing. */
export function matchesNone(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

function readTrust(headers: IncomingHttpHeaders): WriteOrigin['trust'] {
  const value = headers['trust'];
  if (value === undefined) return undefined;
  const level = trustLevels.find((trust) => trust === value);
  if (!level) throw malformedHeader('trust', `must be one of ${trustLevels.join(', ')}`);
  return level;
}

function visible(headers: IncomingHttpHeaders, name: string): string | undefined {
  return matching(headers, name, visibleAscii, 'must be 1 to 255 visible ASCII characters');
}

function matching(
  headers: IncomingHttpHeaders,
  name: string,
  pattern: RegExp,
  rule: string,
): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !pattern.test(value)) throw malformedHeader(name, rule);
  return value;
}
