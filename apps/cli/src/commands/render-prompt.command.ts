import { z } from 'zod';

import { parseAnswer } from '../api-client.js';
import { type CliCommand } from '../command.js';
import { addressOf, contextArgument, parseOptionValues } from '../declared/address.js';
import { bodyOf, fileOption } from '../declared/field-body.js';
import {
  flagField,
  isOption,
  jsonField,
  longTextField,
  numberField,
  textField,
} from '../declared/fields.js';
import { printable, printableLine } from '../printable.js';

const rendered = z.looseObject({
  text: z.string(),
  tokens: z.number(),
  tokenizer: z.string(),
  version: z.number(),
  audience: z.string(),
  missing: z.array(z.string()),
  receipt: z.string(),
});

const fields = [
  longTextField('template', '[template]', 'the template, unless --agent has one'),
  textField(
    'agent',
    '--agent <agent>',
    'a registered agent, for its template, persona and contract',
  ),
  jsonField('input', '--input <json>', 'the value of input in the template'),
  textField(
    'requiredInputs',
    '--require <path...>',
    'paths that must have a value, such as input.ticket',
  ),
  textField('audience', '--audience <name>', 'as this audience sees it'),
  textField('asOf', '--as-of <position>', 'a version, or a time with offset as RFC 3339'),
  numberField('maxTokens', '--max-tokens <n>', 'maximum number of tokens'),
  textField('tokenizer', '--tokenizer <name>', 'tokenizer: o200k_base, cl100k_base or chars4'),
  flagField('strict', '--strict', 'refuse every path without a value'),
];
const described = (option: boolean) =>
  fields
    .filter((field) => isOption(field) === option)
    .map(({ flags, description }) => [flags, description] as const);

export const renderPrompt: CliCommand = {
  name: 'prompt',
  summary: 'Render a prompt template with values of a context; writes nothing',
  arguments: [contextArgument, ...described(false)],
  options: [
    ...described(true),
    ['--receipt', 'also print the receipt of the text to standard error'],
    fileOption,
  ],
  examples: [
    `throughline prompt demo "Build {{input.feature}} as planned: {{context.plan}}" --input '{"feature": "a dark mode"}'`,
    'throughline prompt demo - --require context.plan --max-tokens 8000 < build.md',
    'throughline prompt demo --agent pm --receipt',
  ],
  run: async ({ api, show, terminal, json }, options) => {
    const values = parseOptionValues(options);
    const answer = await api.send({
      method: 'POST',
      path: addressOf('contexts/{context}/prompt', values),
      body: await bodyOf(fields, values, terminal),
    });
    const { text, tokens, tokenizer, version, audience, missing, receipt } = parseAnswer(
      rendered,
      answer,
    );
    show(answer, () => printable(text));
    if (values['receipt'] === true) terminal.warn(printableLine(`receipt ${receipt}`));
    if (json) return;
    const nothing = missing.length === 0 ? '' : `; no value at ${missing.join(', ')}`;
    const facts = `${tokens} tokens (${tokenizer}), version ${version}, audience ${audience}`;
    terminal.warn(printableLine(facts + nothing));
  },
};
