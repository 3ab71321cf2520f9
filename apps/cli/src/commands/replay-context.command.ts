import { z } from 'zod';

import { defineCommand } from '../command.js';
import { typesOf } from '../replay/event-filter.js';
import { History } from '../replay/history.js';
import { paintFor } from '../replay/paint.js';
import { renderStep, stepAsJson } from '../replay/render-step.js';
import { replayDialogue } from '../replay/replay-dialogue.js';
import { Walk } from '../replay/walk.js';

export const replayContext = defineCommand({
  name: 'replay',
  summary: 'Show the events of a context one by one with their changes',
  arguments: [['<context>', 'id of the context']],
  options: [
    ['--type <types>', 'only events of these types, separated by commas'],
    ['--agent <agent>', 'only events of this agent'],
    ['--step <step>', 'only events of this step'],
    ['--whole', 'do not shorten long parts'],
  ],
  examples: [
    'throughline replay demo',
    'throughline replay demo --type DecisionRecorded,DecisionApproved',
    'throughline replay demo --step plan --json | jq -c ".changed[]"',
  ],
  input: z.object({
    context: z.string(),
    type: z.string().optional(),
    agent: z.string().optional(),
    step: z.string().optional(),
    whole: z.boolean().default(false),
  }),
  run: async ({ api, terminal, json }, { context, type, agent, step: stepId, whole }) => {
    const history = new History(api, context);
    const walk = new Walk(history, { types: typesOf(type), agent, step: stepId });
    const { write, openDialogue } = terminal;
    const style = { paint: paintFor(terminal), whole };
    if (openDialogue && !json) {
      const dialogue = openDialogue();
      await replayDialogue({ history, walk, dialogue, write, style }).finally(dialogue.close);
      return;
    }
    for (let event = await walk.next(); event; event = await walk.next()) {
      const step = await history.step(event);
      write(json ? stepAsJson(step) : `${renderStep(step, style)}\n`);
    }
  },
});
