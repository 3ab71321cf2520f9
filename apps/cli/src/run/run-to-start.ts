import { z } from 'zod';

import { type ApiAnswer, parseAnswer, path } from '../api-client.js';
import { readFileText } from '../json-input.js';
import { printableLine } from '../printable.js';
import { type Session } from '../session.js';

/** `title`: title of the context that is created for the run. */
export type RunToStart = Readonly<{ definitionId: string; version: number; title: string }>;

const workflowVersion = z.looseObject({
  definitionId: z.string(),
  version: z.number(),
  description: z.string().nullish(),
  warnings: z.array(z.looseObject({ message: z.string() })).default([]),
});

const longestTitle = 1_000;

/** Publishes the definition if a file is named, and looks it up otherwise. */
export async function findRunToStart(
  { api, terminal }: Session,
  workflow: string,
  versionNumber: number | undefined,
): Promise<RunToStart> {
  if (versionNumber === undefined && isFile(workflow)) {
    // Sent as text, so that the server reports lines and columns of faults.
    const body = JSON.stringify(await readFileText(workflow, terminal));
    const { warnings, ...published } = parse(
      await api.send({ method: 'POST', path: 'workflows', body }),
    );
    for (const { message } of warnings) terminal.warn(printableLine(`warning: ${message}`));
    return published;
  }
  const ofVersion = versionNumber === undefined ? '' : path`/versions/${String(versionNumber)}`;
  return parse(await api.send({ path: path`workflows/${workflow}` + ofVersion }));
}

function parse(answer: ApiAnswer) {
  const { definitionId, version, description, warnings } = parseAnswer(workflowVersion, answer);
  const title = (description || definitionId).slice(0, longestTitle).toWellFormed();
  return { definitionId, version, title, warnings };
}

/** Depends only on the name, so that a command means the same in every directory. */
function isFile(workflow: string): boolean {
  return workflow === '-' || /[/\\]|\.jsonc?$/.test(workflow);
}
