import { z } from 'zod';

import { type ApiAnswer, parseAnswer, path } from '../api-client.js';
import { UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { readJsonText, withMember } from '../json-input.js';
import { printableLine } from '../printable.js';
import { ProblemError } from '../problem.js';
import { followRun } from '../run/follow-run.js';
import { type RunToStart, findRunToStart } from '../run/run-to-start.js';
import { type Session } from '../session.js';
import { writeAnswer } from '../write-answer.js';

const longestReason = 1_000;

const started = writeAnswer.extend({ runId: z.string() });

export const startRun = defineCommand({
  name: 'run',
  summary: 'Start a run of a workflow; list, show, cancel, pause and resume runs',
  arguments: [
    [
      '<workflow>',
      'id of the workflow, or a file to publish first: a name with a slash, or ending in .json or .jsonc; - reads standard input',
    ],
  ],
  options: [
    ['--input <json>', 'input of the run: JSON, @<file> or -'],
    ['--context <context>', 'the context that it runs in (default: a new one)'],
    ['--version-number <n>', 'this version of the workflow instead of the one in force'],
    [
      '--wait',
      'follow the run to its end: exit code 0 completed, 6 rejected, 7 failed, 8 cancelled',
    ],
  ],
  examples: [
    `throughline run feature.json --input '"Add a dark mode"' --wait`,
    'throughline run feature --context demo --input @request.json',
    'throughline run list --state active',
  ],
  input: z.object({
    workflow: z.string(),
    input: z.string().optional(),
    context: z.string().optional(),
    versionNumber: z.coerce.number('must be a version number').int().min(1).optional(),
    wait: z.boolean().default(false),
  }),
  run: async (session, { workflow, versionNumber, context, wait, ...given }) => {
    const { api, terminal, show } = session;
    const input = await readInput(session, given.input, workflow);
    const toStart = await findRunToStart(session, workflow, versionNumber);
    const { definitionId, version } = toStart;
    const sent = { definitionId, version };
    const body = input === undefined ? JSON.stringify(sent) : withMember(sent, 'input', input);
    const contextId = context ?? (await createContext(session, toStart));
    const starting = api.send({ method: 'POST', path: path`contexts/${contextId}/run`, body });
    const answer = await (context === undefined
      ? closedIfRefused(session, contextId, starting)
      : starting);
    const { runId, events, ...written } = parseAnswer(started, answer);
    show(answer, () =>
      printableLine(`run ${runId} of ${definitionId}@${version} in context ${contextId}`),
    );
    const after = written.version - events.length;
    if (wait) await followRun(session, { contextId, runId, after });
    else terminal.warn(printableLine(`next: throughline run show ${contextId}`));
  },
});

async function readInput(
  { terminal }: Session,
  given: string | undefined,
  workflow: string,
): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const isFile = given.startsWith('@');
  if (given === '-' && workflow === '-')
    throw new UsageError('standard input can be the definition or the input, not both');
  const source = isFile ? { file: given.slice(1) } : { value: given };
  return readJsonText(source, terminal, {
    next: `a string needs JSON quotes: --input '"like this"'`,
  });
}

async function createContext(
  { api }: Session,
  { definitionId, version, title }: RunToStart,
): Promise<string> {
  const answer = await api.send({
    method: 'POST',
    path: 'contexts',
    body: JSON.stringify({ title, workflow: { definitionId, version } }),
  });
  return parseAnswer(writeAnswer, answer).contextId;
}

/** Awaits the start of a run in its new context. Closes the context if the server refuses the run, so that none stays empty. */
async function closedIfRefused(
  session: Session,
  contextId: string,
  starting: Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  try {
    return await starting;
  } catch (error) {
    // After any other error, the run may have started.
    if (error instanceof ProblemError && error.status < 500)
      await closeUnused(session, contextId, error);
    throw error;
  }
}

async function closeUnused(
  { api, terminal }: Session,
  contextId: string,
  { message }: ProblemError,
): Promise<void> {
  const context = `context ${contextId}, created for the run,`;
  const reason = `its run was refused: ${message}`.slice(0, longestReason).toWellFormed();
  const body = JSON.stringify({ outcome: 'skipped', reason });
  try {
    await api.send({ method: 'POST', path: path`contexts/${contextId}/close`, body });
    terminal.warn(printableLine(`${context} is closed`));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    terminal.warn(printableLine(`${context} stays open: ${cause}`));
  }
}
