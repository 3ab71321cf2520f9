import { type z } from 'zod';

import { type JsonObject } from '#event-sourcing';

import { type ContextCommand } from '../context.command.js';
import { jsonEquals, member, without } from '../json.js';
import { type GrowingList } from './list.difference.js';
import { type PartDifference, asks, refused, refusedBySchema } from './part.difference.js';
import { changesIn } from './value.difference.js';

/** Reads an entry as what a command states, or refuses what of it is nothing to state. */
export function statement<Schema extends z.ZodType>(
  schema: Schema,
  command: (data: z.output<Schema>) => ContextCommand,
): (entry: JsonObject, at: string) => PartDifference {
  return (entry, at) => {
    const parsed = schema.safeParse(entry);
    return parsed.success ? asks(command(parsed.data)) : refusedBySchema(parsed.error, at);
  };
}

/** An entry under the id it was sent with, or under a new one. */
export function identified(entry: JsonObject, id: string, newId: () => string): JsonObject {
  return Object.hasOwn(entry, id) ? entry : { [id]: newId(), ...entry };
}

/** Entries that never change: every member must be as it is, or left out. */
export const unchanging: GrowingList['changed'] = (current, sent, at) =>
  refused(...changesIn(current, sent, at));

/**
 * Entries of which only some members change. `changed` gets those that do, and is not asked where none does; every
 * other member must be as it is, or left out.
 */
export function changingIn(
  names: readonly string[],
  changed: (values: JsonObject, current: JsonObject, at: string) => PartDifference,
): GrowingList['changed'] {
  return (current, sent, at) => {
    const issues = changesIn(current, without(sent, names), at);
    if (issues.length > 0) return refused(...issues);
    const values = Object.fromEntries(
      Object.entries(sent).filter(
        ([name, value]) => names.includes(name) && !jsonEquals(member(current, name), value),
      ),
    );
    return Object.keys(values).length === 0 ? refused() : changed(values, current, at);
  };
}
