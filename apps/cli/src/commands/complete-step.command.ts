import { addOutput } from './add-output.command.js';

/** A step completes with its output. */
export const completeStep = {
  ...addOutput,
  name: 'step complete',
  summary: 'Complete a step with its output; the same as "output add"',
  examples: [
    `throughline step complete demo plan '{"files": ["cart.ts"]}'`,
    'throughline step complete demo plan --file plan.json --if-match 3',
  ],
};
