import { type z } from 'zod';

import { type JsonObject, knownMembers } from '#event-sourcing';

import { type ContextCommand } from '../context.command.js';
import { jsonEquals, member, without } from '../json.js';
import { type GrowingList } from './list.difference.js';
import {
  type PartDifference,
  commanded,
  parseStated,
  refusedBySchema,
  refusing,
} from './part.difference.js';
import { changesIn } from './value.difference.js';

/**
 * Parses an entry as the payload of a command, and refuses members that the payload cannot have. The rules for input
 * apply only to the members `stated`: others may have been stored before the rules existed.
 */
export function statement<Schema extends z.ZodType>(
  schema: Schema,
  command: (data: z.output<Schema>) => ContextCommand,
): (entry: JsonObject, at: string, stated?: readonly string[]) => PartDifference {
  return (entry, at, stated = Object.keys(entry)) => {
    const parsed = parseStated(schema, entry, stated);
    return parsed.success
      ? commanded(command(parsed.data), at)
      : refusedBySchema(parsed.error, at, { schema, sent: entry });
  };
}

/** The entry with its own id, or with a new one if it has none. */
export function identified(entry: JsonObject, id: string, newId: () => string): JsonObject {
  return Object.hasOwn(entry, id) ? entry : { [id]: newId(), ...entry };
}

/**
 * Entries of which at most the members `changing` may change: every other member of the schema must be equal or absent.
 */
export function unchanging(
  schema: z.ZodType,
  changing: readonly string[] = [],
): GrowingList['changed'] {
  const known = [...knownMembers(schema, {}, []), ...changing];
  return (current, sent, at) => {
    const names = known.filter((name) => !Object.hasOwn(sent, name) || !changing.includes(name));
    return changesIn(without(current, changing), without(sent, changing), at, names);
  };
}

/**
 * Entries in which only the members `names` may change. `changed` gets the changed values, and is not called if there
 * are none; every other member of the schema must be equal or absent.
 */
export function changingIn(
  schema: z.ZodType,
  names: readonly string[],
  changed: (values: JsonObject, current: JsonObject, at: string) => PartDifference,
): GrowingList['changed'] {
  const others = unchanging(schema, names);
  return function* (current, sent, at) {
    if (yield* refusing(others(current, sent, at))) return;
    const values = Object.fromEntries(
      Object.entries(sent).filter(
        ([name, value]) => names.includes(name) && !jsonEquals(member(current, name), value),
      ),
    );
    if (Object.keys(values).length > 0) yield* changed(values, current, at);
  };
}
