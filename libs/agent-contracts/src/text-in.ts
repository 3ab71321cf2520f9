import { type JsonValue } from '#event-sourcing';

import { isList, isObject } from './json.js';

/** Every text in a value, names of members too, one a line. */
export function textIn(value: JsonValue): string {
  const texts: string[] = [];
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === 'string') texts.push(next);
    else if (isList(next)) for (const entry of next) open.push(entry);
    else if (isObject(next))
      for (const [name, member] of Object.entries(next)) {
        texts.push(name);
        open.push(member);
      }
  }
  return texts.join('\n');
}
