import { type WriteOrigin } from '#application';

export type ReadOptions = Readonly<{
  /** A version (digits) or an RFC 3339 time with offset. */
  asOf?: string;
  /** The audience to read for, of those that may be read for. */
  audience?: string;
  signal?: AbortSignal;
}>;

/** Versions or RFC 3339 times, and which page of their difference. */
export type ComparedRange = Omit<ReadOptions, 'asOf'> &
  Readonly<{ from: string; to?: string; limit?: number; cursor?: string }>;

export type WriteOptions = WriteOrigin &
  Readonly<{
    /** Refused with `version-conflict` unless the context is at this version. */
    ifMatch?: number;
    /** The same key answers as the first time, whatever has happened since. */
    idempotencyKey?: string;
    visibility?: 'record' | 'working';
    signal?: AbortSignal;
  }>;
