import { parseArgs } from 'node:util';

import { isCommit } from './changes.mjs';
import { longRows, rows } from './stages.mjs';

const stages = [...rows, ...longRows].flat();

/**
 * The stages to run, in rows, and their suites and tests. Throws an Error with a message for people if the arguments
 * are invalid.
 */
export function parseArguments(args, env = process.env) {
  const { values, positionals: words } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      changed: { type: 'boolean' },
      seed: { type: 'string' },
      testNamePattern: { type: 'string', short: 't' },
    },
  });
  const ref = values.changed ? words.find((word) => !isStage(word) && isCommit(word)) : undefined;
  const positionals = words.filter((word) => word !== ref);
  const names = positionals.filter(isStage);
  const patterns = positionals.filter((word) => !isStage(word));
  const chosen = names.length > 0 ? stages.filter(({ name }) => names.includes(name)) : rows.flat();
  const title = values.testNamePattern;
  if (values.changed && (patterns.length > 0 || title !== undefined))
    throw new Error(`no commit: ${patterns.join(' ')}; --changed takes a commit and stages`);
  if ((patterns.length > 0 || title !== undefined) && chosen.some(({ commands }) => commands))
    throw new Error(describeMisuse(patterns));
  return {
    rows: [...rows, ...longRows]
      .map((row) => row.filter((stage) => chosen.includes(stage)))
      .filter((row) => row.length > 0),
    patterns,
    title,
    isChanged: values.changed ?? false,
    ref,
    seed: parseSeed(values.seed ?? env['THROUGHLINE_TEST_SEED']),
  };
}

function isStage(word) {
  return stages.some(({ name }) => name === word);
}

function describeMisuse(patterns) {
  const suites = stages.filter(({ commands }) => !commands).map(({ name }) => name);
  return patterns.length > 0
    ? `unknown: ${patterns.join(' ')}; the stages are ${stages.map(({ name }) => name).join(', ')}; paths need stages of suites: ${suites.join(', ')}`
    : `-t needs stages of suites: ${suites.join(', ')}`;
}

/** 31 bits, which both fast-check and the reliability scenarios accept. */
function parseSeed(given) {
  if (given === undefined || given === '') return Math.floor(Math.random() * 2 ** 31);
  if (!/^\d{1,10}$/.test(given) || Number(given) >= 2 ** 31)
    throw new Error(`the seed is an integer from 0 to ${2 ** 31 - 1}, not ${given}`);
  return Number(given);
}
