import { type JsonValue, isJsonObject } from '#event-sourcing';

/** The beginning of a value, of about this many characters: enough for a few lines about a large value. */
export function beginningOf(value: JsonValue, characters: number): JsonValue {
  return begin(value, { left: characters });
}

function begin(value: JsonValue, room: { left: number }): JsonValue {
  room.left -= 1;
  if (typeof value === 'string') {
    const text = value.slice(0, Math.max(0, room.left));
    room.left -= text.length;
    return text.length < value.length ? text.toWellFormed() : value;
  }
  if (Array.isArray(value)) return beginList(value, room);
  return isJsonObject(value) ? beginObject(value, room) : value;
}

function beginList(list: readonly JsonValue[], room: { left: number }): JsonValue {
  const entries: JsonValue[] = [];
  for (const entry of list) {
    if (room.left <= 0) break;
    entries.push(begin(entry, room));
  }
  return entries;
}

function beginObject(
  value: Readonly<Record<string, JsonValue>>,
  room: { left: number },
): JsonValue {
  const members: [string, JsonValue][] = [];
  for (const name of Object.keys(value)) {
    if (room.left <= 0) break;
    room.left -= name.length;
    members.push([name, begin(value[name] ?? null, room)]);
  }
  return Object.fromEntries(members);
}
