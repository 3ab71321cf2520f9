import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { type Ask, readOutput } from '../run/run-output.js';
import { renderRun } from '../run/render-run.js';
import { runView } from '../run/run-view.js';

export const showRun = defineCommand({
  name: 'run show',
  summary: 'Show the newest run of a context: where it is, and how its steps have ended',
  arguments: [['<context>', 'id of the context']],
  examples: ['throughline run show demo', 'throughline run show demo --json | jq .status'],
  input: z.object({ context: z.string() }),
  run: async ({ api, show, json }, { context }) => {
    const answer = await api.send({ path: path`contexts/${context}/run` });
    if (json) return show(answer, () => '');
    const run = parseAnswer(runView, answer);
    const ask: Ask = async (schema, request) => parseAnswer(schema, await api.send(request));
    const output = await readOutput(ask, context, run);
    show(answer, () => renderRun(context, run, output));
  },
});
