import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { CliError, UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { contextsInReach } from '../moving/contexts-in-reach.js';
import { describeDatabase } from '../moving/describe-database.js';
import { openOperations } from '../open-operations.js';
import { countOf, describeRate } from '../rate.js';
import { type Session } from '../session.js';

const verdict = z.looseObject({
  contextId: z.string(),
  events: z.number(),
  lastHash: z.string().nullable(),
  broken: z.looseObject({ version: z.number(), reason: z.string() }).nullable(),
});

type Verdict = z.output<typeof verdict>;

export const verifyContexts = defineCommand({
  name: 'verify',
  summary:
    'Verify hash chains and report the first invalid event; exit code 1 if a chain is broken',
  arguments: [['[context]', 'id of the context']],
  options: [
    ['--all', 'verify every context that the key reaches'],
    [
      '--database',
      'verify every row of the log; run it on the server machine, with or without a running server; it needs no key',
    ],
  ],
  examples: [
    'throughline verify demo',
    'throughline verify --all',
    'DATABASE_URL=postgres://throughline@db.internal/throughline throughline verify --database',
  ],
  input: z.object({
    context: z.string().optional(),
    all: z.boolean().default(false),
    database: z.boolean().default(false),
  }),
  run: async (session, { context, all, database }) => {
    if ([context !== undefined, all, database].filter(Boolean).length !== 1)
      throw new UsageError('name a context, or pass --all or --database');
    if (database) await verifyDatabase(session);
    else await verifyOverHttp(session, context);
  },
});

async function verifyOverHttp(session: Session, context: string | undefined): Promise<void> {
  const { api, terminal, json } = session;
  const started = performance.now();
  const contexts = context === undefined ? contextsInReach(api) : [context];
  let [walked, events, broken] = [0, 0, 0];
  for await (const id of contexts) {
    const result = await verifyOne(session, id, context !== undefined);
    walked++;
    events += result.events;
    if (result.broken) broken++;
  }
  const rate = describeRate(events, (performance.now() - started) / 1000);
  if (!json && context === undefined)
    terminal.write(
      `${countOf(events, 'event')} of ${countOf(walked, 'context')} verified, ${rate}`,
    );
  if (broken > 0) throw new CliError(`broken: ${broken} of ${walked} contexts`);
}

/** Prints the verdict; with --all and without --json, only that of a broken chain. */
async function verifyOne({ api, terminal, json }: Session, id: string, alone: boolean) {
  const answer = await api.send({ path: path`contexts/${id}/verify` });
  const found = parseAnswer(verdict, answer);
  if (json) terminal.write(answer.text);
  else if (alone || found.broken) terminal.write(describe(found));
  return found;
}

function describe({ contextId, events, lastHash, broken }: Verdict): string {
  if (broken)
    return `${contextId}: broken at version ${broken.version}: ${broken.reason} (${events} events before it are valid)`;
  return `${contextId}: ${events} events, valid, last hash ${lastHash}`;
}

async function verifyDatabase({ env, terminal, json }: Session): Promise<void> {
  const { config, log, verifyConfigured } = await openOperations(env);
  const started = performance.now();
  const found = await verifyConfigured(config, log);
  const seconds = (performance.now() - started) / 1000;
  terminal.write(
    json
      ? JSON.stringify(found)
      : `${describeDatabase(found)}, ${describeRate(found.events, seconds)}`,
  );
  if (found.broken > 0 || found.missingPosition !== null)
    throw new CliError(`broken: ${found.broken} of ${found.streams} streams`);
}
