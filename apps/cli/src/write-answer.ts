import { z } from 'zod';

/** What every write answers, and the ids the server made. */
export const writeAnswer = z.looseObject({
  contextId: z.string(),
  version: z.number(),
  events: z.array(z.looseObject({ eventId: z.string(), type: z.string(), version: z.number() })),
  decisionId: z.string().optional(),
});

/** Options every write to an existing context takes. */
export const writeOptions = [
  ['--if-match <version>', 'only if the context is still at this version'],
  ['--idempotency-key <key>', 'makes repeating this command harmless'],
  ['--based-on <receipt>', 'receipt of what this is based on, as "view --receipt" prints it'],
  ['--agent <agent>', 'the agent this is written for, where the key may act for it'],
  [
    '--visibility <visibility>',
    'record (default) or working: attempts and notes reviewers do not see',
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
