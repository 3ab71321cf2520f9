import { z } from 'zod';

import { kindOfArgument } from './alternatives.js';
import { jsonBlock } from '../json/json-block.js';
import { escapedLines } from '../markdown/escaped-text.js';
import { isOneSection, section, sectionText } from './markdown-text.js';

const line = z.string().regex(/^\S[^\r\n]*$/);
const text = z.string().regex(/\S/);
const option = z.strictObject({
  option: line,
  description: text.optional(),
  pros: z.array(text).optional(),
  neutral: z.array(text).optional(),
  cons: z.array(text).optional(),
});
type Option = z.output<typeof option>;

const named = line.transform((each): Option => ({ option: each }));
const options = z.array(z.union([option, named]));

/** Sections of the considered options: in the format of MADR, or as JSON if they have another shape. */
export function alternativesText(alternatives: unknown): string[] {
  if (alternatives === undefined || alternatives === null) return [];
  const read = options.safeParse(alternatives);
  const sections = read.success ? optionSections(read.data) : [];
  const isText = sections.length > 0 && sections.every(isOneSection);
  return isText ? sections : [section('## Considered Options', valueText(alternatives))];
}

function optionSections(all: readonly Option[]): string[] {
  const described = all.filter((each) => Object.keys(each).length > 1).map(optionText);
  return [
    section('## Considered Options', all.map((each) => `* ${each.option}`).join('\n')),
    section('## Pros and Cons of the Options', described.join('\n\n')),
  ].filter((each) => each !== '');
}

/** Consequences: a text unchanged, texts as a list, and any other value as JSON. */
export function tradeOffsText(tradeOffs: unknown): string {
  if (tradeOffs === undefined || tradeOffs === null) return '';
  const lines = z.array(line).safeParse(tradeOffs);
  if (lines.success) return lines.data.map((each) => `* ${each}`).join('\n');
  return valueText(tradeOffs);
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? sectionText(value) : jsonBlock(value);
}

function optionText(one: Option): string {
  const { description = '', pros = [], neutral = [], cons = [] } = one;
  const lists = [
    ...pros.map((each) => argumentLine('pros', 'Good', each)),
    ...neutral.map((each) => argumentLine('neutral', 'Neutral', each)),
    ...cons.map((each) => argumentLine('cons', 'Bad', each)),
  ];
  const parts = [`### ${one.option}`, sectionText(description, true), lists.join('\n')];
  return parts.filter((each) => each !== '').join('\n\n');
}

function argumentLine(kind: string, word: string, text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const more = rest.map(escapedLines);
  const argument = kindOfArgument(first) === kind ? first : `${word}, because ${first}`;
  return [`* ${argument}`, ...more.map((each) => (/^\s|^$/.test(each) ? each : `  ${each}`))].join(
    '\n',
  );
}
