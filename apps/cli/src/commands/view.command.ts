import { z } from 'zod';

import { type ApiAnswer, parseAnswer } from '../api-client.js';
import { UsageError } from '../cli-error.js';
import { type CliCommand } from '../command.js';
import { addressOf, contextArgument, parseGiven } from '../declared/address.js';
import { type GivenValues } from '../declared/field-body.js';
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

const original = z.object({ text: z.string() });
const expanded = z.union([
  original,
  z.object({ items: z.array(original), nextCursor: z.string().nullable() }),
]);

export const viewContext: CliCommand = {
  name: 'view',
  summary: 'Print what an agent reads of a context: one text within a budget of tokens',
  arguments: [contextArgument],
  options: [
    audienceOption,
    ['--max-tokens <n>', 'the most tokens it may have (default 50,000)'],
    ['--tokenizer <name>', 'how they are counted: o200k_base, cl100k_base or chars4'],
    ['--focus <focus>', 'handover, rework:<artifact, step or task> or retrospective'],
    ['--agent <agent>', 'the agent that reads; for a handover the one that takes over'],
    ['--since <version>', 'the version that it has read'],
    ['--sections <names>', 'only these, separated by commas'],
    ['--whole-outputs <n>', 'how many of the newest outputs stay whole while they fit'],
    ['--overflow <how>', 'refuse or minimum: what is done if not even the least fits'],
    asOfOption,
    ['--expand <ref>', 'the original of a shortened entry, by the ref that the view names'],
    ['--receipt', 'also print the receipt of what is shown, to standard error'],
    ['--limit <n>', 'with --expand: of the originals of a roll-up at most so many'],
    ['--cursor <cursor>', 'with --expand: carry on where the last page of originals ended'],
  ],
  examples: [
    'throughline view demo --audience reviewer --max-tokens 4000',
    'throughline view demo --focus rework:src/cart.ts',
    'throughline view demo --expand step-output:plan',
    'throughline view demo --json | jq -r .receipt',
  ],
  run: async (session, given) => {
    const { receipt, expand, ...values } = parseGiven(given);
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

/** A view is one text: only the originals of a roll-up come in pages. */
function refusePageOptions(values: GivenValues): void {
  for (const name of ['limit', 'cursor'])
    if (values[name] !== undefined)
      throw new UsageError(
        `--${name} is for the originals of a roll-up: give --expand <ref> too`,
        '--max-tokens <n> makes a view shorter',
      );
}

/** Beside the text, which goes to a prompt as it is. */
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
  const found = parseAnswer(expanded, answer);
  if ('text' in found) return printable(found.text);
  const texts = found.items.map(({ text }) => printable(text));
  return withNext(texts.join('\n\n'), found.nextCursor);
}
