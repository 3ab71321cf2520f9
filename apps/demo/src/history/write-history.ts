import { writeFile } from 'node:fs/promises';

import { EventsJsonlWriter } from '#interop';

import { parseTrails } from '../agent-trail/trail.js';
import { DemoError } from '../demo-error.js';
import { readJsonLines } from '../input/json-lines.js';
import { count } from '../terminal/progress.js';
import { type Terminal } from '../terminal/terminal.js';
import { historyOf } from './trail-history.js';

/** `day`: only trails that began on this date (UTC) are written; undefined writes all. */
export type HistoryChoice = Readonly<{ path: string; day: string | undefined; file: string }>;

/** Writes trails, with their original times, to a file for `throughline import`. */
export async function writeHistory(
  { path, day, file }: HistoryChoice,
  terminal: Terminal,
): Promise<void> {
  const { trails } = parseTrails(await readJsonLines(path));
  const selected = trails.filter(
    ({ metadata }) => day === undefined || String(metadata['startedAt']).startsWith(day),
  );
  if (selected.length === 0) throw new DemoError(`no trail in ${path} began on ${day}`);
  const writer = new EventsJsonlWriter();
  const lines = [writer.header()];
  let events = 0;
  for (const trail of selected)
    for (const { hash, ...event } of historyOf(trail)) {
      lines.push(writer.event(event, hash));
      events++;
    }
  await writeFile(file, [...lines, writer.trailer()].join(''));
  terminal.write(`${file}: ${count(selected.length)} contexts with ${count(events)} events`);
}
