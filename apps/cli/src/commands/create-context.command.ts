import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { defineCommand } from '../command.js';
import { writeAnswer } from '../write-answer.js';

const json = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
});

const workflow = z.string().transform((text, context) => {
  const [, definitionId, version] = /^(.+)@([1-9]\d*)$/.exec(text) ?? [];
  if (definitionId !== undefined) return { definitionId, version: Number(version) };
  context.addIssue({ code: 'custom', message: 'must be <definition>@<version>, like release@3' });
  return z.NEVER;
});

export const createContext = defineCommand({
  name: 'context create',
  summary: 'Create a context; the server generates an id if none is given',
  arguments: [['[context]', 'id: letters, digits, dots, dashes and underscores']],
  options: [
    ['--title <title>', 'title of the context'],
    ['--workflow <definition@version>', 'the workflow it is an instance of'],
    ['--input <json>', 'input of the workflow'],
    ['--metadata <json>', 'any JSON object'],
    ['--preferences <json>', 'an object of preferences'],
    ['--parent <context>', 'the parent context'],
    ['--continues <context>', 'the context that this one continues'],
    ['--idempotency-key <key>', 'makes the command safe to repeat'],
  ],
  examples: [
    'throughline context create demo --title "Checkout feature"',
    `throughline context create --workflow release@3 --input '{"branch": "main"}'`,
    'throughline context create --idempotency-key build-1234 --json',
  ],
  input: z.object({
    context: z.string().optional(),
    title: z.string().optional(),
    workflow: workflow.optional(),
    input: json.optional(),
    metadata: json.optional(),
    preferences: json.optional(),
    parent: z.string().optional(),
    continues: z.string().optional(),
    idempotencyKey: z.string().optional(),
  }),
  run: async ({ api, show }, { context: contextId, idempotencyKey, ...facts }) => {
    const answer = await api.send({
      method: 'POST',
      path: 'contexts',
      body: JSON.stringify({ contextId, ...facts }),
      headers: { 'idempotency-key': idempotencyKey },
    });
    show(answer, () => `created context ${parseAnswer(writeAnswer, answer).contextId}`);
  },
});
