import { isDeepStrictEqual } from 'node:util';

import { DemoError } from '../demo-error.js';
import { formatFault, readJsonLines } from '../input/json-lines.js';
import { type Stage } from '../stage.js';
import { excerpt } from '../terminal/excerpt.js';
import { count } from '../terminal/progress.js';
import { type Terminal } from '../terminal/terminal.js';
import { parseTrails } from './trail.js';
import { play, type PlayResult } from './trail.player.js';
import {
  type Counts,
  countTrails,
  type TrailVerification,
  verifyTrails,
} from './trail.verification.js';

/** Reads the trails and reports malformed ones. Returns the demo, which plays the trails and counts the stored events. */
export async function playAgentTrail(
  path: string,
  terminal: Terminal,
): Promise<(stage: Stage) => Promise<boolean>> {
  const { trails, faults } = parseTrails(await readJsonLines(path));
  if (trails.length === 0) throw new DemoError(`there are no trails in ${path}`);
  const expected = countTrails(trails);
  terminal.write(
    `${count(trails.length)} trails with ${count(expected.events)} events, ${count(expected.decisions)} of them decisions`,
  );
  for (const fault of faults) terminal.write(`  ${excerpt(formatFault(path, fault), 300)}`);
  terminal.write(`malformed or incomplete: ${count(faults.length)}, all listed above`);
  return async (stage) => {
    const played = await play(stage, trails);
    stage.terminal.write('reading everything back ...');
    return report(expected, played, await verifyTrails(stage, trails, played), stage.terminal);
  };
}

function report(
  expected: Counts,
  { acknowledged, seconds }: PlayResult,
  { stored, lost }: TrailVerification,
  terminal: Terminal,
): boolean {
  const appended = [...acknowledged.values()].reduce((sum, { length }) => sum + length, 0);
  const row = (name: string, text: string) => terminal.write(`${name.padEnd(20)} ${text}`);
  const outOf = (name: keyof Counts) => `${count(stored[name])} of ${count(expected[name])}`;
  row('contexts', `${count(acknowledged.size)}, one for each trail`);
  row('decisions', `${outOf('decisions')} stored, each with its agent`);
  row('events', `${outOf('events')} stored completely and in order, as outputs of their chapters`);
  row('failures', `${outOf('failures')} stored`);
  row('retrospectives', `${outOf('retrospectives')} stored`);
  row('lost', `${count(lost.length)} of ${count(appended)} acknowledged stored events`);
  row('stored in', `${seconds.toFixed(1)} s`);
  return lost.length === 0 && isDeepStrictEqual(stored, expected);
}
