import { readFileSync } from 'node:fs';

import { type JsonObject } from '#event-sourcing';

import { templateLimits } from './limits.js';
import { renderTemplate } from './renderer.js';
import { TemplateError } from './template.error.js';
import { parseTemplate } from './template.parser.js';

const page = readFileSync(new URL('../../../../docs/prompts.md', import.meta.url), 'utf8');

const blocks = [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(
  ([, language = '', body = '']) => ({ language, body }),
);
const shown: JsonObject = JSON.parse(
  blocks.find(({ language }) => language === 'json')?.body ?? 'null',
);
const data = new Map(
  Object.entries(shown).map(([name, value]) => [name, { value, isOwn: true }] as const),
);
const examples = blocks
  .filter(({ language }) => language === 'templates')
  .flatMap(({ body }) => body.trimEnd().split('\n').map(exampleIn));

/** `<template>  => <JSON>` or `<template>  !! <message>`. */
function exampleIn(line: string): Readonly<{ source: string; sign: string; expected: string }> {
  const [, source = '', sign = '', expected = ''] = /^(.*?) {2,}(=>|!!) (.*)$/.exec(line) ?? [];
  if (source === '') throw new Error(`no example: ${line}`);
  return { source, sign, expected };
}

/** The result of a template, in the notation of the page. */
function outcomeOf(source: string): string {
  try {
    return JSON.stringify(renderTemplate(parseTemplate(source), data));
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

describe('the page about prompts', () => {
  it.each(examples)('states the result of $source', ({ source, expected }) => {
    expect(outcomeOf(source)).toBe(expected);
  });

  it('shows valid and refused templates', () => {
    const signs = examples.map(({ sign }) => sign);
    expect(signs.filter((sign) => sign === '=>').length).toBeGreaterThan(15);
    expect(signs.filter((sign) => sign === '!!').length).toBeGreaterThan(5);
  });

  it('states every limit', () => {
    const stated = new Set(
      [...page.matchAll(/^\|.*\| ([\d,]+) \|$/gm)].map(([, number]) => number),
    );
    const limits = Object.values(templateLimits).map((limit) => limit.toLocaleString('en-US'));
    expect(stated).toEqual(new Set(limits));
  });
});
