import { z } from 'zod';

/** The answer to a write, with the ids that the server generated. */
export const writeAnswer = z.looseObject({
  contextId: z.string(),
  version: z.number(),
  events: z.array(z.looseObject({ eventId: z.string(), type: z.string(), version: z.number() })),
  decisionId: z.string().optional(),
});

/** Options of every write to an existing context. */
export const writeOptions = [
  ['--if-match <version>', 'only if the context is still at this version'],
  ['--idempotency-key <key>', 'makes the command safe to repeat'],
  [
    '--based-on <receipt>',
    'receipt of the read that this write is based on, as "view --receipt" prints it',
  ],
  ['--agent <agent>', 'the agent on whose behalf to write, if the key may act for it'],
  [
    '--visibility <visibility>',
    'record (default), or working for attempts and notes that reviewers do not see',
  ],
] as const;

export const writeInput = z.object({
  ifMatch: z.string().optional(),
  idempotencyKey: z.string().optional(),
  basedOn: z.string().optional(),
  agent: z.string().optional(),
  visibility: z.string().optional(),
});

type WriteInput = z.output<typeof writeInput>;

export function writeHeaders({ ifMatch, idempotencyKey, basedOn }: WriteInput) {
  return {
    'if-match': ifMatch === undefined ? undefined : quoted(ifMatch),
    'idempotency-key': idempotencyKey,
    'based-on': basedOn,
  };
}

function quoted(version: string): string {
  return /^\d+$/.test(version) ? `"${version}"` : version;
}
