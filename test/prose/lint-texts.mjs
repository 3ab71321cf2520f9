import { readFileSync } from 'node:fs';

import { TextlintKernel } from '@textlint/kernel';
import markdownPlugin from '@textlint/textlint-plugin-markdown';
import prh from 'textlint-rule-prh';

import { codeProse } from './code-prose.mjs';
import { kindsOf } from './files.mjs';
import { prosePlugin } from './prose-plugin.mjs';

/** Exempts its own line and the next one, for a reason. */
const ignored = /prose-ignore: \S/;

/** The rule reads the word list for each document, so that the prose of so many source files is one. */
const filesPerDocument = 20;

const kernel = new TextlintKernel();
const ruleContents = [readWords()];
const options = { ruleContents, checkLink: true, checkBlockQuote: true, checkEmphasis: true };
const configuration = {
  rules: [{ ruleId: 'words', rule: prh.default, options }],
  plugins: [
    { pluginId: 'markdown', plugin: markdownPlugin.default },
    { pluginId: 'prose', plugin: prosePlugin },
  ],
};

/** Words of the list in files `{ path, text }`: path, line and column from 1, the phrase, and what to write instead. */
export async function lintTexts(files) {
  const hits = [];
  const sources = files.filter(({ path }) => !path.endsWith('.md'));
  for (let first = 0; first < sources.length; first += filesPerDocument) {
    hits.push(...(await lintSources(sources.slice(first, first + filesPerDocument))));
  }
  for (const file of files.filter(({ path }) => path.endsWith('.md'))) {
    const messages = await lintDocument(file.text, '.md');
    hits.push(...messages.map((message) => toHit(file, message.index, message)));
  }
  return hits.filter(({ isIgnored }) => !isIgnored);
}

async function lintSources(files) {
  const proses = files.map(({ path, text }) => codeProse(path, text, kindsOf(path)));
  const messages = await lintDocument(proses.map(({ text }) => text).join(''), '.prose');
  const hits = [];
  let start = 0;
  for (const [index, { text, offsets }] of proses.entries()) {
    const end = start + text.length;
    const own = messages.filter((message) => message.index >= start && message.index < end);
    for (const message of own) {
      hits.push(toHit(files[index], offsets[message.index - start], message));
    }
    start = end;
  }
  return hits;
}

async function lintDocument(text, ext) {
  const { messages } = await kernel.lintText(text, { ...configuration, ext });
  return messages.toSorted((a, b) => a.index - b.index);
}

/** Messages are `phrase => suggestion`. */
function toHit({ path, text }, offset, { message }) {
  const [phrase, suggestion] = message.split(' => ');
  const before = text.slice(0, offset).split('\n');
  const end = text.indexOf('\n', offset);
  const line = `${before.at(-1)}${text.slice(offset, end === -1 ? undefined : end)}`;
  return {
    ...{ path, line: before.length, column: before.at(-1).length + 1 },
    ...{ phrase: phrase.replace(/\s+/g, ' '), suggestion },
    isIgnored: ignored.test(line) || ignored.test(before.at(-2) ?? ''),
  };
}

/** A space of a pattern also matches where a line ends. */
function readWords() {
  const words = readFileSync(new URL('words.yml', import.meta.url), 'utf8');
  return words.replace(/(?<=^ *pattern: ).*$/gm, (pattern) => pattern.replaceAll(' ', '\\s+'));
}
