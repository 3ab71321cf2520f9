import { z } from 'zod';

import { type Source, identifier } from '#shared-context';

/** Stands for the reader in a list of agents: the agent of the key, and the name of the audience. */
export const reader = '$reader';

/** Only the agent of the key. `$reader` also matches the name of the audience, which may be the name of another agent. */
export const self = '$self';

/** Members of payloads that a rule may withhold. No other member depends on them. */
export const withheldMembers = [
  'rationale',
  'alternativesConsidered',
  'tradeOffs',
  'confidence',
] as const;

const names = z.array(identifier).min(1).max(500);

/** The conditions of a rule; it matches an event if all conditions match. */
const events = {
  /** Names of event types, or `*` for all, including future ones. */
  types: names,
  /** Default: only `record`. */
  visibility: z
    .array(z.enum(['record', 'working']))
    .min(1)
    .optional(),
  authors: names.optional(),
  steps: names.optional(),
  /** Only events of steps with a failure that the audience sees. */
  failedSteps: z.literal(true).optional(),
  /** Kinds of records, and names of signals. */
  kinds: names.optional(),
  /** Addressees of handovers and input requests. */
  to: names.optional(),
};

const showing = z.strictObject({
  ...events,
  /** Members to remove from recorded decisions. */
  without: z.array(z.enum(withheldMembers)).min(1).optional(),
});
const hiding = z.strictObject(events).omit({ visibility: true, failedSteps: true });

/**
 * The policy of an audience. It shows the events that match some rule of `show` and no rule of `hide`, and either all decisions
 * or only live ones. Events that create, close, reopen, fork or restore a context are always visible.
 */
export const policySchema = z.strictObject({
  show: z.array(showing).min(1).max(100),
  hide: z.array(hiding).min(1).max(100).optional(),
  decisions: z.enum(['all', 'live']).optional(),
});

export type Policy = z.output<typeof policySchema>;
export type ShowingRule = z.output<typeof showing>;
export type HidingRule = z.output<typeof hiding>;

/** Every event type that a policy names, with its pointer, so that callers can report misspelled types. */
export function typesNamed({
  show,
  hide = [],
}: Policy): readonly Readonly<{ pointer: string; type: string }>[] {
  const named = (rules: readonly HidingRule[], list: string) =>
    rules.flatMap(({ types }, rule) =>
      types.map((type, at) => ({ pointer: `/${list}/${rule}/types/${at}`, type })),
    );
  return [...named(show, 'show'), ...named(hide, 'hide')];
}

/** Events of the life cycle of a context: visible to every reader of the context. */
export const alwaysVisible: ReadonlySet<Source['type']> = new Set([
  'ContextCreated',
  'ContextClosed',
  'ContextReopened',
  'ContextForked',
  'ContextRestored',
]);
