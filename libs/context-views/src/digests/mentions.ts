import { type JsonValue } from '#event-sourcing';

import { factLists, toldIn } from './fact-lists.js';
import { type FoundFacts, noFacts } from './found-facts.js';
import { readValue } from './read-value.js';
import { wordKinds } from './word-kinds.js';

/** What a value mentions that can be looked up, and how often. */
export type Mentions = FoundFacts;

export function mentionsIn(value: JsonValue): Mentions {
  return readValue(value, 0).found;
}

/** One line for each kind, within the room: what some values mention and `text`, which tells of them, does not. */
export function unmentionedIn(text: string, values: readonly Mentions[], room: number): string {
  const all = noFacts();
  for (const kind of wordKinds)
    for (const mentions of values)
      for (const [fact, count] of mentions[kind])
        all[kind].set(fact, (all[kind].get(fact) ?? 0) + count);
  return factLists(all, room, toldIn(text));
}
