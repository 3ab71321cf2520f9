import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { drawRun } from '../run/draw-run.js';
import { type ReadAnswer, readOutput } from '../run/run-output.js';
import { renderRun } from '../run/render-run.js';
import { runView } from '../run/run-view.js';

export const showRun = defineCommand({
  name: 'run show',
  summary: 'Show the latest run of a context with its active steps and results',
  arguments: [['<context>', 'id of the context']],
  options: [['--mermaid', 'print a Mermaid flowchart']],
  examples: [
    'throughline run show demo',
    'throughline run show demo --json | jq .status',
    'throughline run show demo --mermaid > demo.mmd',
  ],
  input: z.object({ context: z.string(), mermaid: z.boolean().default(false) }),
  run: async (session, { context, mermaid: isDrawn }) => {
    const { api, show, json, terminal } = session;
    const answer = await api.send({ path: path`contexts/${context}/run` });
    if (isDrawn) {
      const { runId, mermaid } = await drawRun(session, answer);
      return terminal.write(json ? JSON.stringify({ runId, mermaid }) : mermaid.trimEnd());
    }
    if (json) return show(answer, () => '');
    const run = parseAnswer(runView, answer);
    const ask: ReadAnswer = async (schema, request) => parseAnswer(schema, await api.send(request));
    const output = await readOutput(ask, context, run);
    show(answer, () => renderRun(context, run, output));
  },
});
