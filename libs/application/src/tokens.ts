/** Injection tokens of what `platform` binds. */
export const EVENT_STORE = Symbol('EVENT_STORE');
export const DATABASE = Symbol('DATABASE');
/** The same, but waiting for statements as long as they take. */
export const JOB_DATABASE = Symbol('JOB_DATABASE');
/** KeyObject: keys the hashes of request bodies. */
export const FINGERPRINT_KEY = Symbol('FINGERPRINT_KEY');
/** KeyObject of 32 bytes: encrypts session tokens of the web console. */
export const SESSION_KEY = Symbol('SESSION_KEY');
export const AUDIT_LOG = Symbol('AUDIT_LOG');
export const ROOT_KEY_HASH = Symbol('ROOT_KEY_HASH');

/** Who changed what, when (the log's own time), to which version; never payloads. */
export type AuditRecord = Readonly<{
  workspace: string;
  contextId?: string;
  keyId?: string;
  version?: number;
  types: readonly string[];
  principal: string;
  origin?: string | null;
  correlationId?: string | null;
}>;

export type AuditLog = (record: AuditRecord) => void;

/** A conditional write that was refused because the context had another version, and who sent it. */
export type ConflictRecord = Readonly<{
  workspace: string;
  contextId: string;
  expectedVersion: number;
  currentVersion: number;
  principal: string;
  correlationId: string | null;
}>;

export const CONFLICT_LOG = Symbol('CONFLICT_LOG');
export type ConflictLog = (record: ConflictRecord) => void;

/** Logs a failure that did not fail its request; `what` describes what could not be done. */
export type FailureLog = (error: unknown, what: string) => void;
export const FAILURE_LOG = Symbol('FAILURE_LOG');

/** How many committed events lists may be behind; undefined if the store cannot tell. */
export type ProjectionLag = () => Promise<number | undefined>;
export const PROJECTION_LAG = Symbol('PROJECTION_LAG');
/** Settings: what is where a workspace has not stated it. */
export const DEFAULT_SETTINGS = Symbol('DEFAULT_SETTINGS');
/** Boolean: whether this server, or a projector beside it, may have contexts summed up by a model. */
export const MAY_SUMMARIZE = Symbol('MAY_SUMMARIZE');
/** {@link ViewTallyEvents} */
export const VIEW_TALLY_EVENTS = Symbol('VIEW_TALLY_EVENTS');
export const WRITER_OPTIONS = Symbol('WRITER_OPTIONS');

/**
 * `leaseMs`: for how long a worker is taken to be alive behind its claim and each heartbeat. `hiddenInputMs`: for how long an attempt is
 * left to others that needs what a worker does not see.
 */
export type RunOptions = Readonly<{ leaseMs: number; hiddenInputMs: number }>;
export const RUN_OPTIONS = Symbol('RUN_OPTIONS');

/**
 * `maxOfKey`: how many live streams one key may have open at a time, in one process. `counted` is called with the number of all as it
 * changes.
 */
export type StreamOptions = Readonly<{ maxOfKey: number; counted: (open: number) => void }>;
export const STREAM_OPTIONS = Symbol('STREAM_OPTIONS');
