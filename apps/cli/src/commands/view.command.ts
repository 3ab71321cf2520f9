import { z } from 'zod';

import { type ApiAnswer, parseAnswer } from '../api-client.js';
import { UsageError } from '../cli-error.js';
import { type CliCommand } from '../command.js';
import { addressOf, contextArgument, parseOptionValues } from '../declared/address.js';
import { type OptionValues } from '../declared/field-body.js';
import { asOfOption, audienceOption, queryOf } from '../declared/read-command.js';
import { withNext } from '../paging.js';
import { printable, printableLine } from '../printable.js';
import { type Session } from '../session.js';

const view = z.looseObject({
  text: z.string(),
  tokens: z.number(),
  maxTokens: z.number(),
  tokenizer: z.string(),
  version: z.number(),
  audience: z.string(),
  items: z.array(z.looseObject({ ref: z.string(), form: z.string() })),
  receipt: z.string(),
  notes: z.array(z.string()).default([]),
});

const originalText = z.object({ text: z.string() });
const expanded = z.union([
  originalText,
  z.object({ items: z.array(originalText), nextCursor: z.string().nullable() }),
]);

export const viewContext: CliCommand = {
  name: 'view',
  summary: 'Print the view of a context for an agent: one text within a budget of tokens',
  arguments: [contextArgument],
  options: [
    audienceOption,
    ['--max-tokens <n>', 'maximum number of tokens (default 50,000)'],
    ['--tokenizer <name>', 'tokenizer: o200k_base, cl100k_base or chars4'],
    ['--focus <focus>', 'handover, rework:<artifact, step or task> or retrospective'],
    ['--agent <agent>', 'the agent that reads; for a handover its recipient'],
    ['--since <version>', 'the version that the agent has read before'],
    ['--sections <names>', 'only these sections, separated by commas'],
    ['--whole-outputs <n>', 'number of newest outputs to show in full if they fit'],
    [
      '--overflow <how>',
      'if the smallest view exceeds the budget: refuse, or minimum for as much of it as fits',
    ],
    asOfOption,
    ['--expand <ref>', 'print the original of a shortened entry by its ref in the view'],
    ['--receipt', 'also print the receipt of the view to standard error'],
    ['--limit <n>', 'with --expand: maximum number of originals of a roll-up'],
    ['--cursor <cursor>', 'with --expand: continue after the previous page of originals'],
  ],
  examples: [
    'throughline view demo --audience reviewer --max-tokens 4000',
    'throughline view demo --focus rework:src/cart.ts',
    'throughline view demo --expand step-output:plan',
    'throughline view demo --json | jq -r .receipt',
  ],
  run: async (session, options) => {
    const { receipt, expand, ...values } = parseOptionValues(options);
    const query = queryOf(values, ['context']);
    const address = addressOf('contexts/{context}', values);
    if (expand !== undefined) {
      const path = `${address}/${addressOf('items/{ref}', { ref: expand })}`;
      const answer = await session.api.send({ path, query });
      return session.show(answer, () => renderExpanded(answer));
    }
    refusePageOptions(values);
    const answer = await session.api.send({ path: `${address}/view`, query });
    session.show(answer, () => printable(parseAnswer(view, answer).text).trimEnd());
    describeView(session, answer, receipt === true);
  },
};

/** A view is one text: only the originals of a roll-up have pages. */
function refusePageOptions(values: OptionValues): void {
  for (const name of ['limit', 'cursor'])
    if (values[name] !== undefined)
      throw new UsageError(
        `--${name} is for the originals of a roll-up: add --expand <ref>`,
        '--max-tokens <n> makes a view shorter',
      );
}

/** Printed to standard error, because standard output is used as a prompt. */
function describeView({ terminal, json }: Session, answer: ApiAnswer, withReceipt: boolean): void {
  const { tokens, maxTokens, tokenizer, version, audience, items, receipt, notes } = parseAnswer(
    view,
    answer,
  );
  if (withReceipt) terminal.warn(printableLine(`receipt ${receipt}`));
  if (json) return;
  const shortened = items.filter(({ form }) => form !== 'whole').length;
  const facts = [
    `${tokens} of ${maxTokens} tokens (${tokenizer})`,
    `version ${version}`,
    `audience ${audience}`,
    ...(shortened === 0 ? [] : [`${shortened} shortened: --expand <ref> shows the original`]),
  ];
  for (const line of [facts.join(', '), ...notes]) terminal.warn(printableLine(line));
}

function renderExpanded(answer: ApiAnswer): string {
  const original = parseAnswer(expanded, answer);
  if ('text' in original) return printable(original.text);
  const texts = original.items.map(({ text }) => printable(text));
  return withNext(texts.join('\n\n'), original.nextCursor);
}
