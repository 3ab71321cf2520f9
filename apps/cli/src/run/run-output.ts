import { z } from 'zod';

import { type ApiRequest, path } from '../api-client.js';
import { type RunView } from './run-view.js';

const stepOutput = z.looseObject({ output: z.unknown() });

/** Sends a request and parses the answer; returns undefined if it was stopped. */
export type ReadAnswer = <Output>(
  schema: z.ZodType<Output>,
  request: ApiRequest,
) => Promise<Output | undefined>;

/** Returns the output of a completed run: the one that its definition declares, or else that of its last step. */
export async function readOutput(
  readAnswer: ReadAnswer,
  contextId: string,
  run: RunView,
): Promise<unknown> {
  const { output, outputOf, status } = run;
  if (status !== 'completed' || (output !== null && output !== undefined) || !outputOf)
    return output;
  const address = path`contexts/${contextId}/step-outputs/${outputOf.stepId}`;
  return (await readAnswer(stepOutput.nullable(), { path: address }))?.output;
}
