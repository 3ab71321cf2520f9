import { type JsonValue, isJsonObject } from '#event-sourcing';
import { type Spend } from '#expressions';

import { isList } from './json.js';
import { stepsOfText } from './text-steps.js';

/** All texts in a value, including names of members, one per line. One step per inner value. */
export function* textIn(value: JsonValue, spend: Spend): Generator<void, string> {
  const texts: string[] = [];
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield;
    spend(1);
    for (const text of textsAt(next)) {
      spend(stepsOfText(text.length));
      texts.push(text);
    }
    if (isList(next)) for (const entry of next) open.push(entry);
    else if (isJsonObject(next)) for (const member of Object.values(next)) open.push(member);
  }
  return texts.join('\n');
}

function textsAt(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  return isJsonObject(value) ? Object.keys(value) : [];
}
