/** Injection tokens of providers that the platform library binds. */
export const EVENT_STORE = Symbol('EVENT_STORE');
export const DATABASE = Symbol('DATABASE');
/** The database without a statement timeout. */
export const JOB_DATABASE = Symbol('JOB_DATABASE');
/** KeyObject: the key of the hashes of request bodies. */
export const FINGERPRINT_KEY = Symbol('FINGERPRINT_KEY');
/** KeyObject of 32 bytes: encrypts session tokens of the web console. */
export const SESSION_KEY = Symbol('SESSION_KEY');
export const AUDIT_LOG = Symbol('AUDIT_LOG');
export const ROOT_KEY_HASH = Symbol('ROOT_KEY_HASH');

/** Who changed what, and to which version; never payloads. The time is that of the log line. */
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

/** A conditional write that was refused because the context had another version. */
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

/** Logs a failure that did not fail its request; `what` names the failed action. */
export type FailureLog = (error: unknown, what: string) => void;
export const FAILURE_LOG = Symbol('FAILURE_LOG');

/** How many committed events the projection rows may be behind; undefined if the store cannot report it. */
export type ProjectionLag = () => Promise<number | undefined>;
export const PROJECTION_LAG = Symbol('PROJECTION_LAG');
/** Settings: the defaults of all workspaces. */
export const DEFAULT_SETTINGS = Symbol('DEFAULT_SETTINGS');
/** Boolean: whether this server, or a separate projector, may summarize contexts with a model. */
export const MAY_SUMMARIZE = Symbol('MAY_SUMMARIZE');
/** {@link ViewTallyEvents} */
export const VIEW_TALLY_EVENTS = Symbol('VIEW_TALLY_EVENTS');
export const WRITER_OPTIONS = Symbol('WRITER_OPTIONS');

/**
 * `leaseMs`: for how long a worker counts as alive after its claim and each heartbeat. `hiddenInputMs`: for how long an attempt
 * is reserved for other workers if a worker does not see all of its input.
 */
export type RunOptions = Readonly<{ leaseMs: number; hiddenInputMs: number }>;
export const RUN_OPTIONS = Symbol('RUN_OPTIONS');

/**
 * `maxOfKey`: how many live streams one key may have open at a time in one process. `counted` is called with the number of all
 * open streams when it changes.
 */
export type StreamOptions = Readonly<{ maxOfKey: number; counted: (open: number) => void }>;
export const STREAM_OPTIONS = Symbol('STREAM_OPTIONS');
