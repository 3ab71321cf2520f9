import { z } from 'zod';

import { type Source, identifier } from '#shared-context';

/** Whoever reads, in a list of agents: the agent of the key, and the name of the audience. */
export const reader = '$reader';

/** The agent of the key and nobody else. `$reader` also matches the audience's name, which other agents may share or bear. */
export const self = '$self';

/** Members of payloads that a rule may withhold: they say something by themselves, and nothing else rests on them. */
export const withheldMembers = [
  'rationale',
  'alternativesConsidered',
  'tradeOffs',
  'confidence',
] as const;

const names = z.array(identifier).min(1).max(500);

/** Events a rule speaks of: those that all its members speak of. */
const events = {
  /** Names of event types, or `*` for all, also those to come. */
  types: names,
  /** Left out: `record` alone. */
  visibility: z
    .array(z.enum(['record', 'working']))
    .min(1)
    .optional(),
  authors: names.optional(),
  steps: names.optional(),
  /** Of steps that have failed, as far as the audience sees that. */
  failedSteps: z.literal(true).optional(),
  /** Kinds of records, and which signals. */
  kinds: names.optional(),
  /** Agents a handover is for, or an input is asked of. */
  to: names.optional(),
};

const showing = z.strictObject({
  ...events,
  /** Members of recorded decisions that are left out. */
  without: z.array(z.enum(withheldMembers)).min(1).optional(),
});
const hiding = z.strictObject(events).omit({ visibility: true, failedSteps: true });

/**
 * What an audience sees: events that some rule of `show` speaks of and none of `hide`; and of decisions the live ones,
 * or all. That a context was created, closed, reopened, forked or restored is always seen.
 */
export const policySchema = z.strictObject({
  show: z.array(showing).min(1).max(100),
  hide: z.array(hiding).min(1).max(100).optional(),
  decisions: z.enum(['all', 'live']).optional(),
});

export type Policy = z.output<typeof policySchema>;
export type ShowingRule = z.output<typeof showing>;
export type HidingRule = z.output<typeof hiding>;

/** Every event type a policy names, with where it does: what is misspelt would hide or show nothing. */
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

/** Life of a context: who may read it at all knows that. */
export const alwaysVisible: ReadonlySet<Source['type']> = new Set([
  'ContextCreated',
  'ContextClosed',
  'ContextReopened',
  'ContextForked',
  'ContextRestored',
]);
