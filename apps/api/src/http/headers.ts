import { type IncomingHttpHeaders } from 'node:http';

import { type WriteOrigin } from '#application';
import { trustLevels } from '#event-sourcing';

import { ProblemError } from '../problems/problem.error.js';

/** What a write says about itself in its headers. */
export type WriteHeaders = Readonly<{
  ifMatch: number | undefined;
  /** Whether `If-Match` is the ETag of a copy for an audience or of some members, which differs from that of the whole document. */
  matchesCopy: boolean;
  idempotencyKey: string | undefined;
  origin: WriteOrigin;
}>;

/** Any ETag of a context: the version decides, whichever audience or parts the copy was made for. */
const versionTag = /^(?:W\/)?"(0|[1-9]\d{0,14})(?:-[0-9a-f]{16})?"$/;
const ifMatchRule =
  'is an ETag of this server as it was sent, such as "5" in quotes: read the context for the present one';
const visibleAscii = /^[\x21-\x7e]{1,255}$/;
const receipt = /^[\x21-\x7e]{1,4096}$/;
const workspaceName = /^[A-Za-z0-9._-]{1,128}$/;
const bearer = /^Bearer +([\x21-\x7e]+)$/i;

/** Throws `invalid-header` for whatever is there but malformed. */
export function readWriteHeaders(headers: IncomingHttpHeaders): WriteHeaders {
  const ifMatch = matching(headers, 'if-match', versionTag, ifMatchRule);
  return {
    ifMatch: ifMatch === undefined ? undefined : Number(versionTag.exec(ifMatch)?.[1]),
    matchesCopy: ifMatch?.includes('-') ?? false,
    idempotencyKey: visible(headers, 'idempotency-key'),
    origin: {
      correlationId: visible(headers, 'correlation-id'),
      causationId: visible(headers, 'causation-id'),
      basedOn: matching(headers, 'based-on', receipt, 'is the receipt of a read'),
      trust: readTrust(headers),
    },
  };
}

/** Undefined without the header; only the root key may name a workspace. */
export function readWorkspace(headers: IncomingHttpHeaders): string | undefined {
  return matching(headers, 'workspace', workspaceName, 'is the name of a workspace');
}

export function readBearer({ authorization }: IncomingHttpHeaders): string | undefined {
  return bearer.exec(authorization ?? '')?.[1];
}

/** `name` in lower case; `rule` completes the sentence that begins with it. */
export function malformedHeader(name: string, rule: string): ProblemError {
  const shown = name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
  return new ProblemError('invalid-header', `${shown} ${rule}`);
}

/** Whether a stored copy tagged `etag` is one the caller has. Weak comparison; what is malformed matches nothing. */
export function matchesNone(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

function readTrust(headers: IncomingHttpHeaders): WriteOrigin['trust'] {
  const given = headers['trust'];
  if (given === undefined) return undefined;
  const level = trustLevels.find((trust) => trust === given);
  if (!level) throw malformedHeader('trust', `is one of ${trustLevels.join(', ')}`);
  return level;
}

function visible(headers: IncomingHttpHeaders, name: string): string | undefined {
  return matching(headers, name, visibleAscii, 'is 1 to 255 visible ASCII characters');
}

function matching(
  headers: IncomingHttpHeaders,
  name: string,
  pattern: RegExp,
  rule: string,
): string | undefined {
  const given = headers[name];
  if (given === undefined) return undefined;
  if (typeof given !== 'string' || !pattern.test(given)) throw malformedHeader(name, rule);
  return given;
}
