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

const maxListedMismatches = 20;

type WorkLog = Readonly<{
  events: readonly WorkEvent[];
  finals: readonly FinalItem[];
  /** Whether events at the end of the log were omitted. */
  limited: boolean;
}>;

/** Reads the log and the final items. Returns the demo, which replays the log and compares the result. */
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
  const itemsWithStatus = itemsWithStatusEvents(events).size;
  terminal.write(
    `computed offline, the log has the recorded final status of ${supported} of the ${itemsWithStatus} items with status events (${narrowly} if creation and reopening are ignored)`,
  );
}

/** Prints the figures. Returns whether no event is lost and every status is the one that the log supports. */
function report(
  log: WorkLog,
  { acknowledged, conflicts, seconds }: Replay,
  { complete, lost, statuses }: Verification,
  terminal: Terminal,
): boolean {
  const appended = [...acknowledged.values()].reduce((sum, { length }) => sum + length, 0);
  const { events } = log;
  const row = (name: string, text: string) => terminal.write(`${name.padEnd(20)} ${text}`);
  row(
    'stored',
    `${count(complete)} of ${count(events.length)} events, complete and in the order of the log`,
  );
  const asSupported = reportStatuses(log, statuses, row);
  row('lost', `${count(lost.length)} of ${count(appended)} acknowledged stored events`);
  row('conflicts retried', `${count(conflicts)}, each with the missed events`);
  row(
    'appends per second',
    `${count(Math.round(events.length / seconds))} (${count(events.length)} conditional appends of ${count(appended)} stored events in ${seconds.toFixed(1)} s)`,
  );
  return asSupported && lost.length === 0 && complete === events.length;
}

function reportStatuses(
  { events, finals, limited }: WorkLog,
  statuses: ReadonlyMap<string, string>,
  row: (name: string, text: string) => void,
): boolean {
  const folded = foldStatuses(events);
  const expected = limited ? folded : new Map(finals.map(({ id, status }) => [id, status]));
  const itemsWithStatus = itemsWithStatusEvents(events);
  const wrong = [...itemsWithStatus].filter((id) => statuses.get(id) !== expected.get(id));
  const against = limited ? 'the offline fold of the same events' : 'issues-final.jsonl';
  row(
    'matched',
    `${itemsWithStatus.size - wrong.length} of ${itemsWithStatus.size} items, against ${against}`,
  );
  row('mismatched', String(wrong.length));
  for (const id of wrong.slice(0, maxListedMismatches))
    row('', `${id}: ${excerpt(`${statuses.get(id)}, recorded ${expected.get(id)}`)}`);
  const withoutStatus = [...statuses.keys()].filter((id) => !itemsWithStatus.has(id));
  const agreeing = withoutStatus.filter((id) => statuses.get(id) === expected.get(id));
  row(
    'no status events',
    `${withoutStatus.length} items, of which ${agreeing.length} agree as created`,
  );
  return [...statuses].every(([id, status]) => folded.get(id) === status);
}
