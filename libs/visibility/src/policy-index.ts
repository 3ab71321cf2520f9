import { type Source } from '#shared-context';

import { type Policy, type ShowingRule, withheldMembers } from './policy.js';
import {
  type RuleSubject,
  RuleIndex,
  type RuleSet,
  noRules,
  rulesFulfilling,
} from './rule-index.js';

/** Members that are removed from payloads. */
export type WithheldMembers = readonly NonNullable<ShowingRule['without']>[number][];

/** How many of some events an audience sees: `some` if that depends on more than their type and visibility. */
export type Extent = 'all' | 'some' | 'none';

/** Events of one type and visibility. `hasSubject`: whether events of the type have one (`about`). */
type EventClass = Pick<Source, 'type' | 'visibility'> & Readonly<{ hasSubject: boolean }>;

/** Events that the server derives from the work of several authors. */
const derivedTypes: ReadonlySet<Source['type']> = new Set([
  'ValueDerived',
  'AgentInputsChecked',
  'GatePassed',
  'GateFailed',
  'SummaryAdded',
  // Conclusions of the interpreter of a run rest on the outputs of all its steps.
  ...([
    'StepScheduled',
    'StepOutputDerived',
    'StepAttemptTimedOut',
    'StepRouted',
    'ApprovalRequested',
    'RunCompleted',
    'RunFailed',
  ] as const),
]);

/** An imported document contains the text of many items, some of which may be hidden. */
const onlyForEverything: ReadonlySet<Source['type']> = new Set(['SourceImported']);

/** A policy, indexed for fast lookup per event. */
export class PolicyIndex {
  /** Whether some rule depends on whether steps have failed. */
  readonly dependsOnFailures: boolean;
  readonly #show: RuleIndex;
  readonly #hide: RuleIndex | undefined;
  readonly #narrowHide: RuleSet;
  readonly #onRecord: RuleSet;
  readonly #working: RuleSet;
  readonly #ofFailedSteps: RuleSet;
  readonly #narrow: RuleSet;
  readonly #withholding: RuleSet;
  readonly #showing: ReadonlyMap<WithheldMembers[number], RuleSet>;

  constructor({ show, hide, decisions }: Policy) {
    this.#show = new RuleIndex(show);
    this.#hide = hide && new RuleIndex(hide);
    this.#narrowHide = rulesFulfilling(hide ?? [], isNarrow);
    this.#onRecord = rulesFulfilling(show, (rule) => visibilityOf(rule).includes('record'));
    this.#working = rulesFulfilling(show, (rule) => visibilityOf(rule).includes('working'));
    this.#ofFailedSteps = rulesFulfilling(show, ({ failedSteps }) => failedSteps === true);
    this.dependsOnFailures = this.#ofFailedSteps !== noRules;
    this.#narrow = rulesFulfilling(show, isNarrow);
    const isLiveOnly = decisions === 'live';
    this.#withholding = rulesFulfilling(show, (rule) => isLiveOnly || withholdsSomething(rule));
    this.#showing = new Map(
      withheldMembers.map((member) => [
        member,
        rulesFulfilling(show, ({ without }) => !without?.includes(member)),
      ]),
    );
  }

  hides(subject: RuleSubject): boolean {
    return this.#hide !== undefined && this.#hide.matchingRules(subject) !== noRules;
  }

  /** Members to remove from the payload of an event that no rule hides; undefined if no rule shows it. */
  withheldOf(
    subject: RuleSubject,
    hasFailed: (stepId: string) => boolean,
  ): WithheldMembers | undefined {
    const { source } = subject;
    if (onlyForEverything.has(source.type)) return undefined;
    const matching =
      this.#show.matchingRules(subject) &
      (source.visibility === 'record' ? this.#onRecord : this.#working) &
      ~this.#notNaming(source.type);
    const isOfFailed =
      (matching & this.#ofFailedSteps) !== noRules &&
      source.step !== null &&
      hasFailed(source.step);
    const showing = isOfFailed ? matching : matching & ~this.#ofFailedSteps;
    if (showing === noRules) return undefined;
    // A member is visible if any matching rule shows it.
    return withheldMembers.filter(
      (member) => (showing & (this.#showing.get(member) ?? noRules)) === noRules,
    );
  }

  /** How many events of a class are visible, and the members that are removed from some or all of them. */
  extentOf(events: EventClass): Readonly<{ extent: Extent; withheld: WithheldMembers }> {
    const { type, hasSubject } = events;
    const hiding = this.#hide?.rulesForType(type, hasSubject) ?? noRules;
    const showing = this.#mayShow(events);
    const hidesAll = (hiding & ~this.#narrowHide) !== noRules;
    if (hidesAll || showing === noRules) return { extent: 'none', withheld: [] };
    const always = showing & ~this.#narrow;
    return {
      extent: always !== noRules && hiding === noRules ? 'all' : 'some',
      withheld: withheldMembers.filter((member) => {
        const including = this.#showing.get(member) ?? noRules;
        return (always & including) === noRules && (showing & ~including) !== noRules;
      }),
    };
  }

  #mayShow({ type, visibility, hasSubject }: EventClass): RuleSet {
    if (onlyForEverything.has(type)) return noRules;
    const rules = this.#show.rulesForType(type, hasSubject) & ~this.#notNaming(type);
    return rules & (visibility === 'record' ? this.#onRecord : this.#working);
  }

  /**
   * Rules that must not show an event of a derived type, because the event may reveal hidden work. A rule that names the type
   * shows it. A rule for all types shows it only if the policy hides nothing else.
   */
  #notNaming(type: Source['type']): RuleSet {
    if (!derivedTypes.has(type)) return noRules;
    const naming = this.#show.naming(type);
    if (this.#hide) return ~naming;
    const withholding = type === 'SummaryAdded' ? this.#withholding : noRules;
    return (this.#narrow | withholding) & ~naming;
  }
}

function visibilityOf({ visibility = ['record'] }: ShowingRule) {
  return visibility;
}

function isNarrow({ authors, steps, failedSteps, kinds, to }: Partial<ShowingRule>): boolean {
  return [authors, steps, failedSteps, kinds, to].some((member) => member !== undefined);
}

/** A summary covers everything in its own words, so nothing can be withheld from it afterwards. */
function withholdsSomething(rule: ShowingRule): boolean {
  return rule.without !== undefined || !visibilityOf(rule).includes('record');
}
