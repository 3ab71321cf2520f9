import { type JsonValue, isJsonObject } from '#event-sourcing';

import { inLine, labelled, labelledList, quotedLines } from './quoted-text.js';

type Member = readonly [name: string, value: JsonValue];

/** The payload of a record in one fence, with a label for each of its fields, in their order. */
export function quotedRecord(members: readonly Member[]): string {
  return quotedLines(members.flatMap(linesOf));
}

function linesOf([name, value]: Member): readonly string[] {
  if (name !== 'fields' || !isJsonObject(value)) return [labelled(name, value)];
  return Object.entries(value).map((field) => fieldLines(field));
}

/** The label marks a field, because a field may have the name of a member of the record. */
function fieldLines([name, value]: Member): string {
  const label = `fields.${inLine(name)}`;
  return Array.isArray(value) ? labelledList(label, value) : labelled(label, value);
}
