import { z } from 'zod';

import { type Described } from '../command.js';
import { type GivenValues } from './field-body.js';

export const contextArgument: Described = ['<context>', 'id of the context'];

const values = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string()), z.boolean()]).optional(),
);

/** Arguments and options as commander read them. */
export function parseGiven(given: unknown): GivenValues {
  return values.parse(given);
}

/** `contexts/{context}/risks` with the arguments of these names in it, encoded. */
export function addressOf(template: string, given: GivenValues): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(given[name])),
  );
}

/** The names in a template of an address. */
export function namesIn(template: string): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
