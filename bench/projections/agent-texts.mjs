import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { loadPayloads } from '../payloads.mjs';

/** A step's text beyond this is cut: the logs hold whole web pages. */
const longest = 60_000;
const shortest = 40;

/**
 * What real agents wrote, at the lengths they wrote it: the messages of recorded runs, and the decisions of work
 * trails. Where the public data is absent, made words of 2 KB; `source` says which.
 */
export async function loadAgentTexts(env = process.env) {
  const folder = resolve(env.THROUGHLINE_DATA ?? '../shared/data');
  const texts = await messagesOf(join(folder, 'trajectories'));
  if (texts.length === 0) return madeTexts(env);
  const decisions = await decisionsOf(join(folder, 'handoffs/agent-trail.jsonl'));
  return {
    source: `${whole(texts.length)} messages of real agents at their own length (data set \`trajectories\`) and ${whole(decisions.length)} decisions (\`handoffs\`)`,
    texts,
    decisions,
  };
}

async function messagesOf(folder) {
  const files = await readdir(folder).catch(() => []);
  const texts = [];
  for (const file of files.filter((name) => name.endsWith('.jsonl')).toSorted())
    for (const record of await recordsOf(join(folder, file))) collect(record, texts);
  return texts;
}

/** Members such as `path` or `licence` are about the data, too short to be taken for messages. */
function collect(value, texts) {
  if (typeof value === 'string') {
    const inner = parsed(value);
    if (inner !== undefined) collect(inner, texts);
    // Not every contender can store U+0000.
    else if (value.length >= shortest && !value.includes('/blob/'))
      texts.push(value.slice(0, longest).replaceAll('\0', '').toWellFormed());
  } else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) collect(member, texts);
}

async function decisionsOf(file) {
  const trails = (await recordsOf(file)).map(({ text }) => parsed(text) ?? {});
  return trails
    .flatMap(({ chapters }) => chapters ?? [])
    .flatMap(({ events }) => events ?? [])
    .filter(({ type, raw }) => type === 'decision' && typeof raw?.chosen === 'string')
    .map(({ raw }) => ({
      decision: raw.chosen,
      rationale: String(raw.reasoning ?? ''),
      alternativesConsidered: raw.alternatives ?? [],
    }))
    .filter(({ decision }) => decision !== '');
}

async function madeTexts(env) {
  const { outputs, source } = await loadPayloads(env);
  const texts = outputs.map(({ output }) => output.summary);
  const decisions = texts.map((text) => ({
    decision: text.slice(0, 80),
    rationale: text.slice(80, 300),
    alternativesConsidered: [text.slice(300, 360)],
  }));
  return { source, texts, decisions };
}

async function recordsOf(file) {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

function parsed(text) {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function whole(number) {
  return number.toLocaleString('en');
}
