import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { loadPayloads } from '../payloads.mjs';

/** Longer texts of a step are cut: the logs contain whole web pages. */
const longest = 60_000;
const shortest = 40;

/**
 * Texts of real agents in their original length: the messages of recorded runs, and the decisions of work trails.
 * Without the public data, generated words of 2 KB; `source` states which.
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

/** Members such as `path` or `licence` describe the data, and are too short to be mistaken for messages. */
function collect(value, texts) {
  if (typeof value === 'string') {
    const inner = parsed(value);
    if (inner !== undefined) collect(inner, texts);
    // Some contenders cannot store U+0000.
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
