import { type RecordedContextEvent, type Source, sourceOf } from '#shared-context';

import { type Policy, alwaysVisible, reader as readers, self } from './policy.js';
import { PolicyIndex, type WithheldMembers } from './policy-index.js';

/** Who reads: the audience, and the agent of the key where it is one's. */
type Reader = Readonly<{ audience: string; agentId: string | null }>;

/** Whether a step has failed, as the audience sees it. */
export type HasFailed = (stepId: string) => boolean;

const nothing: WithheldMembers = [];

/**
 * The one visibility filter below all queries: which events an audience sees, and what of them. Whatever is shown is a function of
 * `visible(events)`, so that what is hidden changes no byte of it.
 */
export class VisibilityFilter {
  readonly #index: PolicyIndex;

  constructor(
    readonly policy: Policy,
    readonly reader: Reader,
    /** What was in force then is shown, also where it is not now: as it was shown before. */
    readonly asThen = false,
    /** Of the policy: making it takes milliseconds if the policy is large. */
    index = new PolicyIndex(policy),
  ) {
    this.#index = index;
  }

  /** Of decisions only those in force. */
  get liveDecisionsOnly(): boolean {
    return this.policy.decisions === 'live';
  }

  /** Whether the visibility of a step's events depends on whether the step has failed. */
  get asksForFailures(): boolean {
    return this.#index.asksForFailures;
  }

  shows(source: Source, hasFailed: HasFailed): boolean {
    return this.withheldOf(source, hasFailed) !== undefined;
  }

  /** Members left out of the payload of an event that is shown; undefined if it is not. */
  withheldOf(source: Source, hasFailed: HasFailed): WithheldMembers | undefined {
    if (alwaysVisible.has(source.type)) return nothing;
    const reading = { source, aliasesOf: this.#aliasesOf };
    return this.#index.hides(reading) ? undefined : this.#index.withheldOf(reading, hasFailed);
  }

  /** The event as the audience sees it: undefined if it does not. */
  see<Event extends RecordedContextEvent>(event: Event, hasFailed: HasFailed): Event | undefined {
    const withheld = this.withheldOf(sourceOf(event), hasFailed);
    if (!withheld) return undefined;
    return event.type === 'DecisionRecorded' && withheld.length > 0
      ? { ...event, data: without(event.data, withheld) }
      : event;
  }

  readonly #aliasesOf = (agent: string): readonly string[] => {
    if (agent === this.reader.agentId) return [readers, self];
    return agent === this.reader.audience ? [readers] : [];
  };
}

/** A payload, or the body of an item made of it, without some of its members. */
export function without<Payload extends object>(
  payload: Payload,
  members: readonly string[],
): Payload {
  const kept = Object.entries(payload).filter(([name]) => !members.includes(name));
  // Members that may be withheld are optional ones.
  return Object.fromEntries(kept) as Payload;
}
