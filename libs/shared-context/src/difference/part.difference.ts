import { type z } from 'zod';

import { type JsonValue } from '#event-sourcing';

import { type ContextCommand } from '../context.command.js';
import { type Issue } from '../context.errors.js';
import { pointerStep } from '../json.js';

/** What writing one part of the document asks for, and what of it no event can state. */
export type PartDifference = Readonly<{
  commands: readonly ContextCommand[];
  issues: readonly Issue[];
}>;

/** Compares one part; `at` is its pointer. */
export type Part = (current: JsonValue | undefined, sent: JsonValue, at: string) => PartDifference;

export const noDifference: PartDifference = { commands: [], issues: [] };

export function joined(parts: readonly PartDifference[]): PartDifference {
  return {
    commands: parts.flatMap(({ commands }) => commands),
    issues: parts.flatMap(({ issues }) => issues),
  };
}

export function asks(...commands: readonly ContextCommand[]): PartDifference {
  return { commands, issues: [] };
}

export function refused(...issues: readonly Issue[]): PartDifference {
  return { commands: [], issues };
}

/** Refuses at every place a schema names; unknown members are named one by one. */
export function refusedBySchema(error: z.ZodError, at: string): PartDifference {
  return refused(
    ...error.issues.flatMap((issue) => {
      const place = at + issue.path.map((step) => pointerStep(String(step))).join('');
      if (issue.code !== 'unrecognized_keys') return [{ pointer: place, detail: issue.message }];
      return issue.keys.map((key) => ({
        pointer: place + pointerStep(key),
        detail: 'cannot be stated here',
      }));
    }),
  );
}

export function notRemovable(...pointers: readonly string[]): PartDifference {
  return refused(...pointers.map((pointer) => ({ pointer, detail: 'cannot be removed' })));
}
