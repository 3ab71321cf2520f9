import { z } from 'zod';

import { type FlagDescription } from '../command.js';
import { type OptionValues } from './field-body.js';

export const contextArgument: FlagDescription = ['<context>', 'id of the context'];

const values = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string()), z.boolean()]).optional(),
);

/** Parses the arguments and options that commander read. */
export function parseOptionValues(given: unknown): OptionValues {
  return values.parse(given);
}

/** Fills a template such as `contexts/{context}/risks` with encoded arguments. */
export function addressOf(template: string, given: OptionValues): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given[name])),
  );
}

/** Returns the names of the arguments in a template. */
export function namesIn(template: string): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
