import { z } from 'zod';

/** A context that a projector has quarantined. */
export type SetAside = Readonly<{ contextId: string; version: number; error: string; by: string }>;

const message = z.object({
  parked: z.object({ contextId: z.string(), version: z.number(), error: z.string() }),
});

/** The quarantined contexts in the log of a process with the name `by`: a later repair leaves no other trace. */
export function setAsideIn(log: string, by: string): SetAside[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('"parked":{'))
    .map((line) => ({ ...message.parse(JSON.parse(line)).parked, by }));
}

export function describeSetAside({ contextId, version, error, by }: SetAside): string {
  return `${by} has set ${contextId} aside at version ${version}: ${error}`;
}
