import { z } from 'zod';

import { parseAnswer, path } from '../api-client.js';
import { UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';
import { readJsonText } from '../json-input.js';
import { type Terminal } from '../terminal.js';
import { writeAnswer, writeHeaders, writeInput, writeOptions } from '../write-answer.js';

const input = writeInput.extend({
  context: z.string(),
  decision: z.string().optional(),
  id: z.string().optional(),
  topic: z.string().optional(),
  step: z.string().optional(),
  rationale: z.string().optional(),
  alternative: z.array(z.string()).optional(),
  confidence: z.coerce.number('must be a number from 0 to 1').optional(),
  supersedes: z.string().optional(),
  file: z.string().optional(),
});

export const addDecision = defineCommand({
  name: 'decision add',
  summary: 'Record a decision; a topic has one live decision at a time',
  arguments: [
    ['<context>', 'id of the context'],
    [
      '[decision]',
      'what was decided, in words; - reads the whole decision as JSON from standard input',
    ],
  ],
  options: [
    ['--topic <topic>', 'what it is about: a second decision needs --supersedes'],
    ['--rationale <text>', 'why'],
    ['--alternative <text...>', 'what else was considered'],
    ['--confidence <number>', '0 to 1; below the threshold of the workspace a person must approve'],
    ['--step <step>', 'the step it was made in'],
    ['--supersedes <decision>', 'the decision it replaces'],
    ['--id <decision>', 'id of the decision (default: the next DEC-nnn)'],
    ['--file <path>', 'read the whole decision from a JSON file'],
    ...writeOptions,
  ],
  examples: [
    'throughline decision add demo "Carts live in PostgreSQL" --topic storage --rationale "One database to run"',
    'throughline decision add demo "Carts live in Redis" --topic storage --supersedes DEC-001',
    'throughline decision add demo --file decision.json',
  ],
  input,
  run: async ({ api, terminal, show }, given) => {
    const answer = await api.send({
      method: 'POST',
      path: path`contexts/${given.context}/decisions`,
      body: await bodyOf(given, terminal),
      headers: writeHeaders(given),
    });
    show(answer, () => {
      const { decisionId = given.id ?? '', version } = parseAnswer(writeAnswer, answer);
      return `recorded decision ${decisionId}, version ${version}`;
    });
  },
});

async function bodyOf(given: z.output<typeof input>, terminal: Terminal): Promise<string> {
  if (given.file !== undefined) return readJsonText({ file: given.file }, terminal);
  if (given.decision === '-') return readJsonText({ value: '-' }, terminal);
  if (given.decision === undefined)
    throw new UsageError('say what was decided, or give it as --file <path>');
  return JSON.stringify({
    decisionId: given.id,
    topic: given.topic,
    stepId: given.step,
    decision: given.decision,
    rationale: given.rationale,
    alternativesConsidered: given.alternative,
    confidence: given.confidence,
    supersedes: given.supersedes,
    agentId: given.agent,
    visibility: given.visibility,
  });
}
