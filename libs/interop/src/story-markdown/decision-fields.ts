import { type JsonValue } from '#event-sourcing';

import { onlyJson } from '../json/json-block.js';
import { listItem } from '../markdown/list-item.js';
import { matchedGroups } from '../text/matched-groups.js';
import { readBody } from './body-text.js';

/** The ids of decisions that a heading can contain. */
export const decisionName = /^[\p{L}\p{N}][\w.-]{0,127}$/u;

const names = 'Topic|Status|Date|Supersedes|Rationale|Decision|Alternatives considered';
const field = new RegExp(String.raw`^\*\*(${names}):\*\*[ \t]*(.*)$`);
const label = new RegExp(String.raw`^(?=\\*\*\*(?:${names}):\*\*)`, 'gm');
const escapedLabel = new RegExp(String.raw`^\\(?=\\*\*\*(?:${names}):\*\*)`, 'gm');
/** Fields that include the lines below them. */
const texts: ReadonlySet<string> = new Set(['Rationale', 'Decision', 'Alternatives considered']);
const longestLine = 100_000;

/** A text in which no line is a field of the decision. */
export function escapedLabels(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(label, '\\');
}

/** The fields of a decision by label; text before any label is the rationale. */
export function decisionFields(body: string): ReadonlyMap<string, string> {
  const lines = new Map<string, string[]>([['', []]]);
  let last = '';
  for (const line of body.split('\n')) {
    const { name, value } = fieldIn(line);
    const isNew = name !== '' && !lines.has(name);
    if (isNew) lines.set(name, [value]);
    else lines.get(last)?.push(line);
    if (isNew && texts.has(name)) last = name;
  }
  return textsByLabel(lines);
}

function fieldIn(line: string): Readonly<{ name: string; value: string }> {
  const [, name, value] = matchedGroups(field, line.length < longestLine ? line : '');
  return { name, value };
}

function textsByLabel(lines: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string> {
  const { '': before = [], Rationale: below = [] } = Object.fromEntries(lines);
  const rationale = [...before, ...below];
  const labelledTexts = Array.from([...lines, ['Rationale', rationale] as const], ([name, all]) => {
    const text = readBody(all.join('\n')).replace(escapedLabel, '');
    return [name, text] as const;
  });
  return new Map(labelledTexts.filter(([name, text]) => name !== '' && text !== ''));
}

/** Alternatives as exports print them: a list, a JSON block, or a text. */
export function alternativesIn(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined;
  const items = text.split('\n').map((line) => listItem(line));
  if (items.every((item) => item?.indent === '')) return items.map((item) => item?.content ?? '');
  return onlyJson(text) ?? text;
}
