import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export const payloadBytes = 2048;

const count = 1024;
const shortestText = 200;

/**
 * Distinct step outputs of 2 KB of JSON, cut from texts of real agents (`trajectories` of the public data) or, without
 * that data, composed of words. `source` states which.
 */
export async function loadPayloads(env = process.env) {
  const folder = join(resolve(env.THROUGHLINE_DATA ?? '../shared/data'), 'trajectories');
  const real = await readTexts(folder);
  const text = real ?? madeText();
  return {
    source: real
      ? 'texts of real agents (data set `trajectories`)'
      : 'generated words (no data set here)',
    outputs: Array.from({ length: count }, (_, number) => cutPayload(text, number)),
  };
}

function cutPayload(text, number) {
  const stride = Math.floor((text.length - 2 * payloadBytes) / count);
  const start = number * stride;
  let length = payloadBytes;
  for (;;) {
    const output = asOutput(text.slice(start, start + length), number);
    const json = JSON.stringify(output);
    const excess = Buffer.byteLength(json) - payloadBytes;
    if (excess <= 0) return { output, json, bytes: Buffer.byteLength(json) };
    length -= Math.max(1, Math.floor(excess / 2));
  }
}

function asOutput(text, number) {
  return { agent: `agent-${number % 7}`, status: 'done', summary: text.toWellFormed() };
}

async function readTexts(folder) {
  const files = await readdir(folder).catch(() => []);
  const texts = [];
  for (const file of files.filter((name) => name.endsWith('.jsonl')).toSorted())
    for (const line of (await readFile(join(folder, file), 'utf8')).split('\n'))
      if (line !== '') collectTexts(JSON.parse(line), texts);
  // Some contenders cannot store U+0000.
  return texts.length === 0 ? undefined : texts.join('\n').replaceAll('\0', '');
}

function collectTexts(value, texts) {
  if (typeof value === 'string' && value.length >= shortestText) texts.push(value);
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) collectTexts(member, texts);
}

/** Words with the length and variety of English, from a fixed seed. */
function madeText() {
  let state = 42;
  const next = (below) => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
  const letters = 'etaoinshrdlcumwfgypbvk';
  const word = () =>
    Array.from({ length: 2 + next(8) }, () => letters[Math.min(next(22), next(22))]).join('');
  const words = Array.from({ length: 4000 }, word);
  return Array.from({ length: 450_000 }, () => words[Math.min(next(4000), next(4000))]).join(' ');
}
