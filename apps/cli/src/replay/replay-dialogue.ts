import { printableLine } from '../printable.js';
import { type Dialogue } from '../terminal.js';
import { type ShownEvent } from './context-event.js';
import { typesOf } from './event-filter.js';
import { type History } from './history.js';
import { type PartStyle } from './render-parts.js';
import { renderStep } from './render-step.js';
import { type Walk } from './walk.js';

const help = `Enter or n  the next event          b           the one before
<number>    to that version         q           leave
t <types>   only these event types  a <agent>   only this agent's
s <step>    only this step's        c           everything again`;

type Stage = Readonly<{
  history: History;
  walk: Walk;
  dialogue: Dialogue;
  write: (text: string) => void;
  style: PartStyle;
}>;

/** Shows one event after another as a person asks for them, until they have seen enough. */
export async function replayDialogue(stage: Stage): Promise<void> {
  const { history, walk, dialogue, write, style } = stage;
  const newest = await history.newest();
  let shown = await walk.next();
  write(shown ? renderStep(await history.step(shown), style) : 'no such events');
  for (;;) {
    const asked = await dialogue.ask(promptOf(shown, newest, walk));
    if (asked === undefined || /^q(uit)?$/.test(asked.trim())) return;
    const found = await obey(asked.trim(), walk);
    if (typeof found === 'string') write(found);
    else {
      shown = found;
      write(renderStep(await history.step(found), style));
    }
  }
}

/** The event to show, or what to say instead. */
async function obey(asked: string, walk: Walk): Promise<ShownEvent | string> {
  const [, word = '', rest = ''] = /^(\S*)\s*(.*)$/.exec(asked) ?? [];
  const moved = await move(word, walk);
  if (moved !== undefined) return moved;
  const filter = filterOf(word, rest, walk);
  if (!filter) return help;
  walk.filter = filter;
  return (await walk.here()) ?? 'no such events; "c" shows everything again';
}

async function move(word: string, walk: Walk): Promise<ShownEvent | string | undefined> {
  if (['', 'n', 'next'].includes(word)) return (await walk.next()) ?? 'that was the last';
  if (['b', 'back'].includes(word)) return (await walk.back()) ?? 'that was the first';
  if (!/^\d{1,9}$/.test(word)) return undefined;
  return (await walk.goTo(Math.max(Number(word), 1))) ?? `nothing from version ${word} on`;
}

function filterOf(word: string, rest: string, { filter }: Walk): Walk['filter'] | undefined {
  const value = rest === '' ? undefined : rest;
  if (word === 't') return { ...filter, types: typesOf(rest) };
  if (word === 'a') return { ...filter, agent: value };
  if (word === 's') return { ...filter, step: value };
  return word === 'c' ? {} : undefined;
}

function promptOf(shown: ShownEvent | undefined, newest: number, { filter }: Walk): string {
  const limits = [filter.types?.join(','), filter.agent, filter.step].filter(Boolean).join(' ');
  const place = `${shown?.version ?? '-'}/${newest}`;
  return printableLine(`[${place}${limits === '' ? '' : ` ${limits}`}] n b <version> ? q > `);
}
