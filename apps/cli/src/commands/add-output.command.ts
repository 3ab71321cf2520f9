import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { readJsonText, withMember } from '../json-input.js';
import { writeAnswer, writeHeaders, writeInput, writeOptions } from '../write-answer.js';

export const addOutput = defineCommand({
  name: 'output add',
  summary: 'Add an output of a step; earlier outputs of the step remain',
  arguments: [
    ['<context>', 'id of the context'],
    ['<step>', 'id of the step'],
    ['[value]', 'the output as JSON; - reads standard input'],
  ],
  options: [
    ['--file <path>', 'read the JSON from a file'],
    ['--text', 'treat the input as plain text and store it as one string'],
    ['--name <name>', "store it also as the agent's latest output of this name"],
    ['--artifact <id...>', 'related artifacts'],
    ...writeOptions,
  ],
  examples: [
    `throughline output add demo plan '{"files": ["cart.ts"]}'`,
    'throughline output add demo plan --file plan.json --if-match 3',
    'npm test 2>&1 | throughline output add demo test - --text',
  ],
  input: writeInput.extend({
    context: z.string(),
    step: z.string(),
    value: z.string().optional(),
    file: z.string().optional(),
    text: z.boolean().optional(),
    name: z.string().optional(),
    artifact: z.array(z.string()).optional(),
  }),
  run: async ({ api, terminal, show }, input) => {
    const output = await readJsonText(input, terminal, { asText: input.text });
    const { step: stepId, name, artifact: artifactIds, agent: agentId, visibility } = input;
    const answer = await api.send({
      method: 'POST',
      path: path`contexts/${input.context}/step-outputs`,
      body: withMember({ stepId, name, artifactIds, agentId, visibility }, 'output', output),
      headers: writeHeaders(input),
    });
    show(
      answer,
      () => `added to step ${stepId}, version ${parseAnswer(writeAnswer, answer).version}`,
    );
  },
});
