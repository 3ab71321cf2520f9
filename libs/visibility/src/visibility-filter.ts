import { type RecordedContextEvent, type Source, sourceOf } from '#shared-context';

import { type Policy, alwaysVisible, reader as readers, self } from './policy.js';
import { PolicyIndex, type WithheldMembers } from './policy-index.js';

/** The audience of a read, and the agent of its key; null if the key has none. */
type Reader = Readonly<{ audience: string; agentId: string | null }>;

/** Whether the audience sees a failure of a step. */
export type HasFailed = (stepId: string) => boolean;

const nothing: WithheldMembers = [];

/**
 * Decides which events, and which members of them, an audience sees. All queries use this filter: every answer is a function of
 * the visible events, so that hidden events never change a byte of it.
 */
export class VisibilityFilter {
  readonly #index: PolicyIndex;

  constructor(
    readonly policy: Policy,
    readonly reader: Reader,
    /** Whether a read of an earlier version returns the decisions that were live then, even if they are superseded now. */
    readonly includesSuperseded = false,
    /** The index of `policy`. Pass it to reuse one: building it takes milliseconds if the policy is large. */
    index = new PolicyIndex(policy),
  ) {
    this.#index = index;
  }

  /** Whether the audience sees only live decisions. */
  get liveDecisionsOnly(): boolean {
    return this.policy.decisions === 'live';
  }

  /** Whether the visibility of events depends on whether their step has failed. */
  get dependsOnFailures(): boolean {
    return this.#index.dependsOnFailures;
  }

  shows(source: Source, hasFailed: HasFailed): boolean {
    return this.withheldOf(source, hasFailed) !== undefined;
  }

  /** Members to remove from the payload of a visible event; undefined if the event is hidden. */
  withheldOf(source: Source, hasFailed: HasFailed): WithheldMembers | undefined {
    if (alwaysVisible.has(source.type)) return nothing;
    const subject = { source, aliasesOf: this.#aliasesOf };
    return this.#index.hides(subject) ? undefined : this.#index.withheldOf(subject, hasFailed);
  }

  /** The event without its withheld members; undefined if the event is hidden. */
  filterEvent<Event extends RecordedContextEvent>(
    event: Event,
    hasFailed: HasFailed,
  ): Event | undefined {
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

/** Copies a payload, or the body of an item, without some of its members. */
export function without<Payload extends object>(
  payload: Payload,
  members: readonly string[],
): Payload {
  const remaining = Object.entries(payload).filter(([name]) => !members.includes(name));
  // The cast is safe because all members that a policy may withhold are optional.
  return Object.fromEntries(remaining) as Payload;
}
