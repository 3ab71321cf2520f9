import { type MemberName } from './members.js';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

type Body = Readonly<Record<string, Json>>;

/** Sends a request; its path is relative to /v1. `basedOn`: the name of the receipt that it cites. */
export type RequestStep = Readonly<{
  method?: 'PUT' | 'PATCH';
  path: string;
  body?: Body;
  basedOn?: string;
  /** The status of the expected refusal. */
  refusedWith?: number;
}> &
  Causality;

/** `names`: a name for the last event of the write. `causedBy`: the name of the event that made the member act. */
type Causality = Readonly<{ names?: string; causedBy?: string }>;

/** Reads the view of a context and stores its receipt under a name, for `basedOn`. */
type ReadStep = Readonly<{ reads: string; receipt: string }>;

/** Carries out the next attempt of a run that waits for this member. */
export type WorkStep =
  | Readonly<{ completes: Body }>
  | Readonly<{ fails: Readonly<{ reason: string; code: string }> }>;

/** Approves the step for which the run of a context waits. */
type ApprovalStep = Readonly<{ approvesIn: string; comment: string }>;

/** One action of a member of the team. */
export type StoryStep = Readonly<{ as: MemberName }> &
  (RequestStep | ReadStep | WorkStep | ApprovalStep);

type EventOfBatch = Readonly<{ type: string; data: Body; visibility?: 'working' }>;

/** Writes events into a context, in one batch. */
export function batch(
  as: MemberName,
  contextId: string,
  events: ReadonlyArray<readonly [type: string, data: Body, visibility?: 'working']>,
  causality: Causality = {},
): StoryStep {
  const described = events.map(([type, data, visibility]): EventOfBatch => ({
    type,
    data,
    ...(visibility && { visibility }),
  }));
  return { as, path: `contexts/${contextId}/events`, body: { events: described }, ...causality };
}
