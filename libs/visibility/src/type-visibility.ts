import { type ContextEventType, contextEvents } from '#shared-context';

import { type Policy, alwaysVisible } from './policy.js';
import { type Extent, type WithheldMembers, PolicyIndex } from './policy-index.js';

/** How much an audience sees of the events of a type. */
export type TypeVisibility = Readonly<{
  type: ContextEventType;
  /** How many events of visibility `record` are visible. */
  record: Extent;
  /** How many events of visibility `working` are visible. */
  working: Extent;
  /** Members that are removed from some or all of the visible events. */
  withheld: WithheldMembers;
}>;

/** Types of events that an audience of live decisions sees only while their decision is live. */
const ofDecisions: ReadonlySet<ContextEventType> = new Set([
  'DecisionRecorded',
  'DecisionApproved',
  'DecisionRejected',
]);

const everythingOf = (type: ContextEventType): TypeVisibility => ({
  type,
  record: 'all',
  working: 'all',
  withheld: [],
});

/** How much a policy shows of each type of events. Without a policy, as for the audience `all`, everything is visible. */
export function visibilityOfTypes(policy: Policy | undefined): readonly TypeVisibility[] {
  if (!policy) return contextEvents.map(({ type }) => everythingOf(type));
  const index = new PolicyIndex(policy);
  return contextEvents.map(({ type, aboutMember }) => {
    if (alwaysVisible.has(type)) return everythingOf(type);
    const extentOf = (visibility: 'record' | 'working') =>
      index.extentOf({ type, visibility, hasSubject: aboutMember !== undefined });
    const [record, working] = [extentOf('record'), extentOf('working')];
    const dependsOnDecision = policy.decisions === 'live' && ofDecisions.has(type);
    return {
      type,
      record: dependsOnDecision ? atMostSome(record.extent) : record.extent,
      working: dependsOnDecision ? atMostSome(working.extent) : working.extent,
      withheld:
        type === 'DecisionRecorded' ? [...new Set([...record.withheld, ...working.withheld])] : [],
    };
  });
}

function atMostSome(extent: Extent): Extent {
  return extent === 'all' ? 'some' : extent;
}
