import { type RecordedContextEvent, type Source, sourceOf } from '#shared-context';

import { type HidingRule, type Policy, type ShowingRule, alwaysSeen, reader } from './policy.js';

/** Who reads: the audience, and the agent of the key where it is one's. */
export type Reader = Readonly<{ audience: string; agentId: string | null }>;

/** Whether a step has failed, as the audience sees it. */
export type HasFailed = (stepId: string) => boolean;

type Withheld = NonNullable<ShowingRule['without']>;

const nothing: Withheld = [];

/** What the server says of others' work, whoever's request led to it. */
const derivedTypes: ReadonlySet<Source['type']> = new Set([
  'ValueDerived',
  'AgentInputsChecked',
  'GatePassed',
  'GateFailed',
  'SummaryAdded',
]);

/**
 * The one gate below all queries: which events an audience sees, and what of them. Whatever is shown is a function of
 * `visible(events)`, so that what is hidden changes no byte of it.
 */
export class Gate {
  constructor(
    readonly policy: Policy,
    readonly reader: Reader,
    /** What was in force then is shown, also where it is not now: as it was shown before. */
    readonly asThen = false,
  ) {}

  /** Of decisions only those in force. */
  get liveDecisionsOnly(): boolean {
    return this.policy.decisions === 'live';
  }

  /** Whether what is seen of a step depends on whether it has failed. */
  get asksForFailures(): boolean {
    return this.policy.show.some(({ failedSteps }) => failedSteps);
  }

  shows(source: Source, hasFailed: HasFailed): boolean {
    return this.withheldOf(source, hasFailed) !== undefined;
  }

  /** Members left out of the payload of an event that is shown; undefined where it is not. */
  withheldOf(source: Source, hasFailed: HasFailed): Withheld | undefined {
    if (alwaysSeen.has(source.type)) return nothing;
    if (this.policy.hide?.some((rule) => this.#speaksOf(rule, source))) return undefined;
    const rules = this.policy.show.filter(
      (rule) =>
        (rule.visibility ?? ['record']).includes(source.visibility) &&
        this.#speaksOf(rule, source) &&
        !this.#includesUnawares(rule, source) &&
        (!rule.failedSteps || (source.step !== null && hasFailed(source.step))),
    );
    const [first, ...others] = rules.map(({ without }) => without ?? nothing);
    // What any rule shows is shown.
    return first?.filter((member) => others.every((without) => without.includes(member)));
  }

  /** The event as the audience sees it: undefined where it does not. */
  see<Event extends RecordedContextEvent>(event: Event, hasFailed: HasFailed): Event | undefined {
    const withheld = this.withheldOf(sourceOf(event), hasFailed);
    if (!withheld) return undefined;
    return event.type === 'DecisionRecorded' && withheld.length > 0
      ? { ...event, data: without(event.data, withheld) }
      : event;
  }

  /**
   * What was derived from others' work says something of it: a rule for everything shows it where nothing else is kept
   * back, and otherwise only who names it.
   */
  #includesUnawares(rule: ShowingRule, { type }: Source): boolean {
    if (!derivedTypes.has(type) || rule.types.includes(type)) return false;
    const { authors, steps, failedSteps, kinds, to } = rule;
    const narrows = [authors, steps, failedSteps, kinds, to].some((member) => member !== undefined);
    return (
      narrows ||
      this.policy.hide !== undefined ||
      (type === 'SummaryAdded' && this.#keepsSomethingBack(rule))
    );
  }

  /** A summary tells of everything, in words of its own: what it was made of cannot be taken out of it again. */
  #keepsSomethingBack({ without: withheld, visibility = ['record'] }: ShowingRule): boolean {
    return withheld !== undefined || this.liveDecisionsOnly || !visibility.includes('record');
  }

  #speaksOf({ types, authors, steps, kinds, to }: HidingRule, source: Source): boolean {
    const { type, author, step, about } = source;
    return (
      (types.includes(type) || types.includes('*')) &&
      isAllowed(authors, author, (agent) => this.#isAmong(authors ?? [], agent)) &&
      isAllowed(steps, step, (stepId) => steps?.includes(stepId) === true) &&
      isAllowed(kinds, about, (kind) => kinds?.includes(kind) === true) &&
      isAllowed(to, about, (agent) => this.#isAmong(to ?? [], agent))
    );
  }

  #isAmong(agents: readonly string[], agent: string): boolean {
    const { agentId, audience } = this.reader;
    const isReader = agent === agentId || agent === audience;
    return agents.includes(agent) || (isReader && agents.includes(reader));
  }
}

/** What a rule does not ask for may be anything; what it asks for must be there. */
function isAllowed(
  asked: readonly string[] | undefined,
  value: string | null,
  isAsked: (value: string) => boolean,
): boolean {
  return !asked || (value !== null && isAsked(value));
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
