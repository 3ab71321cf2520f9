import { type JsonValue } from '#event-sourcing';

import { type FoundFacts, addFacts, noFacts } from './found-facts.js';
import { LineRanks } from './telling-lines.js';
import { toldLines } from './told-lines.js';

/** `whole` is all that the value tells, where that takes no more than the room. */
export type ReadValue = Readonly<{
  found: FoundFacts;
  ranks: LineRanks;
  whole: string | undefined;
}>;

/** Reads a value once, line by line; what is kept is bounded, whatever its size. */
export function readValue(value: JsonValue, room: number): ReadValue {
  const found = noFacts();
  const ranks = new LineRanks();
  const lines: string[] = [];
  let left = room + 1;
  for (const line of toldLines(value)) {
    const text = ranks.add(line);
    addFacts(line.text, found);
    left -= text.length + 1;
    if (left >= 0) lines.push(text);
  }
  return { found, ranks, whole: left < 0 ? undefined : lines.join('\n') };
}
