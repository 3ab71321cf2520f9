import { dirname, join } from 'node:path';

import { type WorkEventsChoice } from '../arguments.js';
import { DemoError } from '../demo-error.js';
import { formatFault, readJsonLines } from '../input/json-lines.js';
import { type Stage } from '../stage.js';
import { excerpt } from '../terminal/excerpt.js';
import { count } from '../terminal/progress.js';
import { type Terminal } from '../terminal/terminal.js';
import { type Replay, replay } from './replay.js';
import { type Verification, verify } from './verification.js';
import { countSupported, foldStatuses, itemsWithStatusEvents } from './work-event.fold.js';
import {
  type FinalItem,
  parseFinalItems,
  parseWorkEvents,
  type WorkEvent,
} from './work-event.schema.js';

const shownMismatches = 20;

type WorkLog = Readonly<{
  events: readonly WorkEvent[];
  finals: readonly FinalItem[];
  /** Whether events at the end of the log were left out. */
  limited: boolean;
}>;

/** Reads the log and the final items beside it; answers the demo, which replays and compares. */
export async function replayWorkEvents(
  choice: WorkEventsChoice,
  terminal: Terminal,
): Promise<(stage: Stage) => Promise<boolean>> {
  const log = await readLog(choice, terminal);
  describeLog(log, terminal);
  return async (stage) => {
    const replayed = await replay(stage, log.events, log.finals);
    stage.terminal.write('reading everything back ...');
    return report(log, replayed, await verify(stage, log.events, replayed), stage.terminal);
  };
}

async function readLog({ path, limit }: WorkEventsChoice, terminal: Terminal): Promise<WorkLog> {
  const all = parseWorkEvents(await readJsonLines(path));
  const finalsPath = join(dirname(path), 'issues-final.jsonl');
  const finals = parseFinalItems(await readJsonLines(finalsPath));
  for (const fault of all.faults) terminal.write(`not replayed: ${formatFault(path, fault)}`);
  for (const fault of finals.faults) terminal.write(`not read: ${formatFault(finalsPath, fault)}`);
  const events = all.items.slice(0, limit);
  if (events.length === 0) throw new DemoError(`there are no work events in ${path}`);
  return { events, finals: finals.items, limited: events.length < all.items.length };
}

function describeLog({ events, finals, limited }: WorkLog, terminal: Terminal): void {
  const actors = new Set(events.map(({ actor }) => actor)).size;
  const items = new Set(events.map(({ itemId }) => itemId)).size;
  const part = limited ? ' (the first of a longer log)' : '';
  terminal.write(
    `work log: ${count(events.length)} events of ${actors} actors over ${items} items${part}`,
  );
  if (limited) return;
  const supported = countSupported(events, finals);
  const narrowly = countSupported(events, finals, ['created', 'reopened']);
  const spoken = itemsWithStatusEvents(events).size;
  terminal.write(
    `folded offline, the log itself gives the recorded final status of ${supported} of the ${spoken} items that have status events (${narrowly} where creation and reopening are not read as statuses)`,
  );
}

/** Whether nothing is lost and every status is the one the log supports. */
function report(
  log: WorkLog,
  { acknowledged, conflicts, seconds }: Replay,
  { kept, lost, statuses }: Verification,
  terminal: Terminal,
): boolean {
  const appended = [...acknowledged.values()].reduce((sum, { length }) => sum + length, 0);
  const { events } = log;
  const row = (name: string, text: string) => terminal.write(`${name.padEnd(20)} ${text}`);
  row('stored', `${count(kept)} of ${count(events.length)} events, whole and in the log's order`);
  const asSupported = reportStatuses(log, statuses, row);
  row('lost', `${count(lost.length)} of ${count(appended)} acknowledged stored events`);
  row('conflicts retried', `${count(conflicts)}, each with the events it had missed`);
  row(
    'appends per second',
    `${count(Math.round(events.length / seconds))} (${count(events.length)} conditional appends of ${count(appended)} stored events in ${seconds.toFixed(1)} s)`,
  );
  return asSupported && lost.length === 0 && kept === events.length;
}

function reportStatuses(
  { events, finals, limited }: WorkLog,
  statuses: ReadonlyMap<string, string>,
  row: (name: string, text: string) => void,
): boolean {
  const folded = foldStatuses(events);
  const expected = limited ? folded : new Map(finals.map(({ id, status }) => [id, status]));
  const spoken = itemsWithStatusEvents(events);
  const wrong = [...spoken].filter((id) => statuses.get(id) !== expected.get(id));
  const against = limited ? 'the offline fold of the same events' : 'issues-final.jsonl';
  row('matched', `${spoken.size - wrong.length} of ${spoken.size} items, against ${against}`);
  row('mismatched', String(wrong.length));
  for (const id of wrong.slice(0, shownMismatches))
    row('', `${id}: ${excerpt(`${statuses.get(id)}, recorded ${expected.get(id)}`)}`);
  const silent = [...statuses.keys()].filter((id) => !spoken.has(id));
  const agreeing = silent.filter((id) => statuses.get(id) === expected.get(id));
  row('no status events', `${silent.length} items, of which ${agreeing.length} agree as created`);
  return [...statuses].every(([id, status]) => folded.get(id) === status);
}
