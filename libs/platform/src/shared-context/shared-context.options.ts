import { type WriteOrigin } from '#application';

export type ReadOptions = Readonly<{
  /** A version (digits) or an RFC 3339 time with offset. */
  asOf?: string;
  /** The audience to read for: one of the audiences of the principal. */
  audience?: string;
  signal?: AbortSignal;
}>;

/** Two versions or RFC 3339 times, and the page of their difference. */
export type ComparisonRange = Omit<ReadOptions, 'asOf'> &
  Readonly<{ from: string; to?: string; limit?: number; cursor?: string }>;

export type WriteOptions = WriteOrigin &
  Readonly<{
    /** Refused with `version-conflict` unless the context is at this version. */
    ifMatch?: number;
    /** A repeated write with the same key gets the first answer again. */
    idempotencyKey?: string;
    visibility?: 'record' | 'working';
    signal?: AbortSignal;
  }>;
