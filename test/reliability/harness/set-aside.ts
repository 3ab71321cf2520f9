import { z } from 'zod';

/** A context that a projector could not go on with. */
export type SetAside = Readonly<{ contextId: string; version: number; error: string; by: string }>;

const said = z.object({
  parked: z.object({ contextId: z.string(), version: z.number(), error: z.string() }),
});

/** What a process has said of them in its log, `by` its name: a later repair leaves no other trace. */
export function setAsideIn(log: string, by: string): SetAside[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('"parked":{'))
    .map((line) => ({ ...said.parse(JSON.parse(line)).parked, by }));
}

export function describeSetAside({ contextId, version, error, by }: SetAside): string {
  return `${by} has set ${contextId} aside at version ${version}: ${error}`;
}
