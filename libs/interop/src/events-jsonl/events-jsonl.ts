import { z } from 'zod';

import { type EventToAppend, maxTypeLength } from '#event-sourcing';

export const eventsJsonl = 'throughline.events-jsonl';

/** The written version; all versions up to it are read. */
export const eventsJsonlVersion = 2;

export const eventsJsonlMediaType = 'application/x-ndjson';

/** An event with its owner: everything except its position in the log of one store. */
export type ExportedEvent = EventToAppend &
  Readonly<{ workspace: string; contextId: string; version: number }>;

const name = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/, 'must be 1 to 128 of A-Z a-z 0-9 . _ -');

export const headerLine = z.looseObject({
  format: z.literal(eventsJsonl, `must be "${eventsJsonl}"`),
  version: z
    .number()
    .int()
    .min(1)
    .max(eventsJsonlVersion, `is newer than ${eventsJsonlVersion}, which this release reads`),
});

/** `data` is the text of the payload; `dataText` is the text as a string if it is not one line of JSON. */
export const eventLine = z.strictObject({
  workspace: name,
  contextId: name,
  version: z.number().int().min(1),
  eventId: z
    .string()
    .regex(
      /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
      'must be a UUID in lower case',
    ),
  type: z.string().min(1).max(maxTypeLength),
  metadata: z.looseObject({}),
  data: z.unknown().optional(),
  dataText: z.string().optional(),
});

/** 32 and 64 bytes as base64url without padding, each in its only spelling. */
const publicKey = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, 'must be a key');
const signatureValue = z.string().regex(/^[A-Za-z0-9_-]{85}[AQgw]$/, 'must be a signature');

/** Since version 2. Signs the event in the line before it, and through its hash all earlier events of the context. */
export const signatureLine = z.strictObject({
  signature: z.strictObject({
    workspace: name,
    contextId: name,
    version: z.number().int().min(1),
    hash: z.string(),
    key: publicKey,
    value: signatureValue,
  }),
});

/** `key`: the public key (Ed25519) for `value`, the signature of {@link signedText}. */
export type ExportSignature = z.output<typeof signatureLine>['signature'];

/** The signed data: this event of this context, and through its hash all events before it. */
export type SignedHead = Omit<ExportSignature, 'key' | 'value'>;

/** One JSON array in fixed order, so that no canonical form is needed. */
export function signedText({ workspace, contextId, version, hash }: SignedHead): string {
  return JSON.stringify(['throughline.export.v1', workspace, contextId, version, hash]);
}

export const trailerLine = z.strictObject({
  end: z.strictObject({
    contexts: z.number().int().min(0),
    events: z.number().int().min(0),
    lastHash: z.string().nullable(),
  }),
});

export type ExportTrailer = z.output<typeof trailerLine>['end'];

/** Replaces the trailer if the export could not continue. */
export const failureLine = z.strictObject({
  failed: z.strictObject({
    contextId: z.string(),
    version: z.number(),
    reason: z.string(),
  }),
});

export type ExportFailure = z.output<typeof failureLine>['failed'];

/** `line` counts from 1; `pointer` (RFC 6901) leads to the member of that line. */
export class EventsJsonlError extends Error {
  override readonly name = 'EventsJsonlError';
  constructor(
    readonly line: number,
    readonly pointer: string,
    readonly detail: string,
  ) {
    super(`line ${line}${pointer === '' ? '' : `, ${pointer}`}: ${detail}`);
  }
}
