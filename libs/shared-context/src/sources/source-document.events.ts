import { z } from 'zod';

import { defineServerEvent } from '../context-event.js';
import { defineItemKind } from '../item-kind.js';
import { identifier } from '../payload.schema.js';

/** The maximum number of events that hold the text of one document. */
export const maxParts = 256;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal');
const partNumber = z.int().min(1).max(maxParts);
const itemRef = z.string().min(3).max(600);

/**
 * A piece of a document, verbatim. `items`: the items of the context that it became, as `<kind>:<key>`; absent if the
 * text was not understood. `continues`: the piece is the continuation of the previous one, which was too long for one
 * event. `agreedAt`: the version of the context at which its items agreed with the text, if they were changed after
 * that and before this import.
 */
const piece = z.strictObject({
  text: z.string(),
  items: z.array(itemRef).min(1).optional(),
  continues: z.literal(true).optional(),
  agreedAt: z.int().optional(),
});

/**
 * The text of an imported document, in order, so that an export can reproduce the unchanged pieces. `name`: the name of
 * its file; `sha256`: of the full text in UTF-8. A text that is too long for one event is stored in `parts`; the last
 * part names the revision that it `replaces`, which is the newest one until then.
 */
const sourceImported = defineServerEvent(
  'SourceImported',
  z.strictObject({
    format: identifier,
    name: z.string().min(1).max(4_096),
    sha256,
    part: partNumber,
    parts: partNumber,
    replaces: z.strictObject({ sha256, parts: partNumber }).optional(),
    pieces: z.array(piece),
    /** Items of earlier revisions that this revision no longer contains. */
    removed: z.array(itemRef).optional(),
  }),
  {
    line: ({ format, name, part, parts }) =>
      `${name} imported as ${format}${parts === 1 ? '' : `, part ${part} of ${parts}`}`,
  },
);

export const sourceEvents = [sourceImported] as const;

export const sourceItemKinds = [defineItemKind('source', { rulesReadBody: true })] as const;
