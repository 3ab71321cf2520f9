import {
  type Api,
  type ClientEvent,
  type ContextDocument,
  type StoredEvent,
  type Written,
} from './api.js';
import { type ReadOptions } from './endpoints.js';
import { isThroughlineError, type VersionConflictError } from './errors.js';
import { type WriteOptions } from './request-options.js';
import { pause } from './pause.js';

/** What an update needs of a context. */
type UpdatedContext = Readonly<{
  id: string;
  get: (query: Reading, options: ReadOptions) => Promise<ContextDocument>;
  events: (
    query: Reading & Readonly<{ after: number }>,
    options: ReadOptions,
  ) => AsyncIterable<StoredEvent>;
  append: (events: readonly ClientEvent[], options: WriteOptions) => Promise<Written>;
}>;

type Reading = Readonly<{ audience: string | undefined; parts?: Parts | undefined }>;
type Parts = NonNullable<Api.GetContextData['query']>['parts'];

export type UpdateFacts = Readonly<{
  /** Events of others since the version that the callback was given before, oldest first; none at first. */
  missed: readonly StoredEvent[];
  /** Counts from 1. */
  attempt: number;
  /** The version that the callback decides on. */
  version: number;
}>;

const usualMax = 5;

/** Decides what to append to the context as it is; nothing to append is `[]`. Called again after a conflict. */
export type UpdateCallback = (
  document: ContextDocument,
  facts: UpdateFacts,
) => readonly ClientEvent[] | Promise<readonly ClientEvent[]>;

export type UpdateOptions = Omit<WriteOptions, 'expectedVersion' | 'idempotencyKey'> &
  Readonly<{
    /** `rebase`, the default: decide again on what is there now; `fail`: throw the conflict. */
    onConflict?: 'rebase' | 'fail' | undefined;
    /** How often the callback is called, at most; 5 by default. */
    max?: number | undefined;
    audience?: string | undefined;
    /** The members of the document that the callback is given; by default all. */
    parts?: Parts | undefined;
  }>;

/**
 * Reads, decides and appends at the version that was read. Each body has an idempotency key of its own, which stays the same while
 * the body is sent again. Rejects with the last conflict if there are too many.
 */
export async function updateContext(
  context: UpdatedContext,
  callback: UpdateCallback,
  options: UpdateOptions = {},
): Promise<Written> {
  let missed: readonly StoredEvent[] = [];
  let document = await read(context, options);
  for (let attempt = 1; ; attempt++) {
    const { _version: version } = document;
    const events = await callback(document, { missed, attempt, version });
    const conflict = await append(context, events, version, options);
    if (!isThroughlineError(conflict)) return conflict;
    if (attempt >= (options.max ?? usualMax)) throw conflict;
    await pause(waitOf(conflict), options.signal);
    document = await read(context, options);
    missed = await missedBetween(context, conflict, document._version, options);
  }
}

function read(context: UpdatedContext, { audience, parts, signal }: UpdateOptions) {
  return context.get({ audience, parts }, { signal });
}

/** Returns a conflict that is to be rebased on. */
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
): Promise<Written | VersionConflictError> {
  writing.signal?.throwIfAborted();
  if (events.length === 0) return { contextId: context.id, version, events: [] };
  try {
    return await context.append(events, { ...writing, expectedVersion: version });
  } catch (error) {
    if (isThroughlineError(error, 'version-conflict') && onConflict === 'rebase') return error;
    throw error;
  }
}

/** Up to what the callback is given next, which may be older or newer than what the conflict names. */
async function missedBetween(
  context: UpdatedContext,
  conflict: VersionConflictError,
  until: number,
  { audience, signal }: UpdateOptions,
): Promise<StoredEvent[]> {
  const stated = conflict.missedTruncated ? [] : conflict.missed;
  const found = stated.filter(({ version }) => version <= until);
  const after = conflict.missedTruncated ? conflict.expectedVersion : conflict.currentVersion;
  if (after >= until) return found;
  for await (const event of context.events({ after, audience }, { signal }))
    if (event.version <= until) found.push(event);
    else break;
  return found;
}

/** At least as long as the server asks for, and at random, so that writers that collide do not come back at the same time. */
function waitOf({ problem }: VersionConflictError): number {
  const stated = Number(problem?.['retryAfterMs'] ?? 0);
  return stated * (1 + Math.random());
}
