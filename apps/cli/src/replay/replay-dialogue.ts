import { printableLine } from '../printable.js';
import { type Dialogue } from '../terminal.js';
import { type ContextEvent } from './context-event.js';
import { typesOf } from './event-filter.js';
import { type History } from './history.js';
import { type PartStyle } from './render-parts.js';
import { renderStep } from './render-step.js';
import { type Walk } from './walk.js';

const help = `Enter or n  the next event          b           the previous event
<number>    go to that version      q           quit
t <types>   only these event types  a <agent>   only events of this agent
s <step>    only this step          c           clear the filter`;

type DialogueContext = Readonly<{
  history: History;
  walk: Walk;
  dialogue: Dialogue;
  write: (text: string) => void;
  style: PartStyle;
}>;

/** Shows the events that the user asks for, until the user quits. */
export async function replayDialogue(context: DialogueContext): Promise<void> {
  const { history, walk, dialogue, write, style } = context;
  const newest = await history.newest();
  let shown = await walk.next();
  write(shown ? renderStep(await history.step(shown), style) : 'no matching events');
  for (;;) {
    const line = await dialogue.ask(promptOf(shown, newest, walk));
    if (line === undefined || /^q(uit)?$/.test(line.trim())) return;
    const result = await execute(line.trim(), walk);
    if (typeof result === 'string') write(result);
    else {
      shown = result;
      write(renderStep(await history.step(result), style));
    }
  }
}

/** Returns the event to show, or a message. */
async function execute(line: string, walk: Walk): Promise<ContextEvent | string> {
  const [, word = '', rest = ''] = /^(\S*)\s*(.*)$/.exec(line) ?? [];
  const moved = await move(word, walk);
  if (moved !== undefined) return moved;
  const filter = filterOf(word, rest, walk);
  if (!filter) return help;
  walk.filter = filter;
  return (await walk.here()) ?? 'no matching events; "c" clears the filter';
}

async function move(word: string, walk: Walk): Promise<ContextEvent | string | undefined> {
  if (['', 'n', 'next'].includes(word)) return (await walk.next()) ?? 'this is the last event';
  if (['b', 'back'].includes(word)) return (await walk.back()) ?? 'this is the first event';
  if (!/^\d{1,9}$/.test(word)) return undefined;
  return (
    (await walk.goTo(Math.max(Number(word), 1))) ?? `no matching event from version ${word} on`
  );
}

function filterOf(word: string, rest: string, { filter }: Walk): Walk['filter'] | undefined {
  const value = rest === '' ? undefined : rest;
  if (word === 't') return { ...filter, types: typesOf(rest) };
  if (word === 'a') return { ...filter, agent: value };
  if (word === 's') return { ...filter, step: value };
  return word === 'c' ? {} : undefined;
}

function promptOf(shown: ContextEvent | undefined, newest: number, { filter }: Walk): string {
  const limits = [filter.types?.join(','), filter.agent, filter.step].filter(Boolean).join(' ');
  const place = `${shown?.version ?? '-'}/${newest}`;
  return printableLine(`[${place}${limits === '' ? '' : ` ${limits}`}] n b <version> ? q > `);
}
