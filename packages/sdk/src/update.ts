import {
  type Api,
  type ClientEvent,
  type ContextDocument,
  type StoredEvent,
  type WriteResult,
} from './api.js';
import { type ReadOptions } from './endpoints.js';
import { isThroughlineError, type VersionConflictError } from './errors.js';
import { type WriteOptions } from './request-options.js';
import { pause } from './pause.js';

/** The part of a context that an update uses. */
type UpdatedContext = Readonly<{
  id: string;
  get: (query: ReadQuery, options: ReadOptions) => Promise<ContextDocument>;
  events: (
    query: ReadQuery & Readonly<{ after: number }>,
    options: ReadOptions,
  ) => AsyncIterable<StoredEvent>;
  append: (events: readonly ClientEvent[], options: WriteOptions) => Promise<WriteResult>;
}>;

type ReadQuery = Readonly<{ audience: string | undefined; parts?: Parts | undefined }>;
type Parts = NonNullable<Api.GetContextData['query']>['parts'];

export type UpdateFacts = Readonly<{
  /** Events since the version of the previous call, oldest first; empty in the first call. */
  missed: readonly StoredEvent[];
  /** Counts from 1. */
  attempt: number;
  /** The version of the document. */
  version: number;
}>;

const defaultMax = 5;

/** Returns the events to append to the current context, or `[]`. Called again after a conflict. */
export type UpdateCallback = (
  document: ContextDocument,
  facts: UpdateFacts,
) => readonly ClientEvent[] | Promise<readonly ClientEvent[]>;

export type UpdateOptions = Omit<WriteOptions, 'expectedVersion' | 'idempotencyKey'> &
  Readonly<{
    /** `rebase`, the default: call the callback again with the new state; `fail`: throw the conflict. */
    onConflict?: 'rebase' | 'fail' | undefined;
    /** Maximum number of calls of the callback; 5 by default. */
    max?: number | undefined;
    audience?: string | undefined;
    /** The members of the document for the callback; by default all. */
    parts?: Parts | undefined;
  }>;

/**
 * Reads the document, calls the callback, and appends its events at the version of the document. Each body has its own idempotency
 * key, which all retries of the body use. Rejects with the last conflict if there are too many.
 */
export async function updateContext(
  context: UpdatedContext,
  callback: UpdateCallback,
  options: UpdateOptions = {},
): Promise<WriteResult> {
  let missed: readonly StoredEvent[] = [];
  let document = await read(context, options);
  for (let attempt = 1; ; attempt++) {
    const { _version: version } = document;
    const events = await callback(document, { missed, attempt, version });
    const conflict = await append(context, events, version, options);
    if (!isThroughlineError(conflict)) return conflict;
    if (attempt >= (options.max ?? defaultMax)) throw conflict;
    await pause(waitOf(conflict), options.signal);
    document = await read(context, options);
    missed = await missedBetween(context, conflict, document._version, options);
  }
}

function read(context: UpdatedContext, { audience, parts, signal }: UpdateOptions) {
  return context.get({ audience, parts }, { signal });
}

/** Returns the result, or the conflict if the callback is to be called again. */
async function append(
  context: UpdatedContext,
  events: readonly ClientEvent[],
  version: number,
  {
    onConflict = 'rebase',
    max: _max,
    audience: _audience,
    parts: _parts,
    ...writing
  }: UpdateOptions,
): Promise<WriteResult | VersionConflictError> {
  writing.signal?.throwIfAborted();
  if (events.length === 0) return { contextId: context.id, version, events: [] };
  try {
    return await context.append(events, { ...writing, expectedVersion: version });
  } catch (error) {
    if (isThroughlineError(error, 'version-conflict') && onConflict === 'rebase') return error;
    throw error;
  }
}

/** Returns the missed events up to the version of the next document, which may be older or newer than that of the conflict. */
async function missedBetween(
  context: UpdatedContext,
  conflict: VersionConflictError,
  until: number,
  { audience, signal }: UpdateOptions,
): Promise<StoredEvent[]> {
  const reported = conflict.missedTruncated ? [] : conflict.missed;
  const missed = reported.filter(({ version }) => version <= until);
  const after = conflict.missedTruncated ? conflict.expectedVersion : conflict.currentVersion;
  if (after >= until) return missed;
  for await (const event of context.events({ after, audience }, { signal }))
    if (event.version <= until) missed.push(event);
    else break;
  return missed;
}

/** Returns a random delay of at least the time that the server requests, so that conflicting writers do not retry at the same time. */
function waitOf({ problem }: VersionConflictError): number {
  const requestedMs = Number(problem?.['retryAfterMs'] ?? 0);
  return requestedMs * (1 + Math.random());
}
