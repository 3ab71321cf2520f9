import { z } from 'zod';

import { type ApiAnswer, parseAnswer, path } from '../api-client.js';
import { CliError } from '../cli-error.js';
import { exitCodes } from '../exit-code.js';
import { ProblemError } from '../problem.js';
import { type Session } from '../session.js';

const maybe = z.string().nullish();

/** The members of a run that are drawn, and its definition. */
const drawnRun = z.looseObject({
  runId: z.string(),
  definition: z.looseObject({ definitionId: z.string(), version: z.number(), hash: z.string() }),
  status: z.string(),
  reason: maybe,
  active: z.array(
    z.looseObject({
      stepId: z.string(),
      visit: z.number(),
      attempt: z.number(),
      status: z.string(),
      agent: maybe,
      worker: maybe,
    }),
  ),
  results: z.array(
    z.looseObject({
      stepId: z.string(),
      visit: z.number(),
      attempts: z.number(),
      outcome: z.string(),
      error: maybe,
    }),
  ),
});

type RunDefinition = z.output<typeof drawnRun>['definition'];

/** Returns the Mermaid flowchart of a run. `answer`: the run as the server returned it. */
export async function drawRun(
  session: Session,
  answer: ApiAnswer,
): Promise<Readonly<{ runId: string; mermaid: string }>> {
  // Loaded lazily: most commands do not need it.
  const { renderRunMermaid, workflowDefinition } = await import('#workflow');
  const run = parseAnswer(drawnRun, answer);
  const published = z.looseObject({ hash: z.string(), definition: workflowDefinition });
  const answerOfVersion = await findVersion(session, run.definition);
  const { hash, definition } = parseAnswer(published, answerOfVersion);
  // An imported run may come from another store, in which this version was another definition.
  if (hash !== run.definition.hash) throw unknownDefinition(run.definition);
  return { runId: run.runId, mermaid: renderRunMermaid(definition, run) };
}

async function findVersion({ api }: Session, startedWith: RunDefinition): Promise<ApiAnswer> {
  const { definitionId, version } = startedWith;
  try {
    return await api.send({ path: path`workflows/${definitionId}/versions/${String(version)}` });
  } catch (cause) {
    if (cause instanceof ProblemError && cause.code === 'not-found')
      throw unknownDefinition(startedWith, cause);
    throw cause;
  }
}

function unknownDefinition(
  { definitionId, version, hash }: RunDefinition,
  cause?: ProblemError,
): CliError {
  return new CliError(
    `the run cannot be drawn: version ${version} of workflow ${definitionId} here is not the definition that it was started with (hash ${hash})`,
    {
      exitCode: exitCodes.denied,
      cause,
      next: 'without --mermaid, the run is shown as a table',
    },
  );
}
