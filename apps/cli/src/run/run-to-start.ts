import { z } from 'zod';

import { type ApiAnswer, parseAnswer, path } from '../api-client.js';
import { readFileText } from '../json-input.js';
import { printableLine } from '../printable.js';
import { type Session } from '../session.js';

/** `title`: for the context that is made for the run. */
export type RunToStart = Readonly<{ definitionId: string; version: number; title: string }>;

const shown = z.looseObject({
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
    // As text, so that the server names lines and columns of what it refuses.
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
  const { definitionId, version, description, warnings } = parseAnswer(shown, answer);
  const title = (description || definitionId).slice(0, longestTitle).toWellFormed();
  return { definitionId, version, title, warnings };
}

/** By its name alone, so that a command means the same in every directory. */
function isFile(workflow: string): boolean {
  return workflow === '-' || /[/\\]|\.jsonc?$/.test(workflow);
}
