import { type Source } from '#shared-context';

import { type Policy, type ShowingRule, withheldMembers } from './policy.js';
import { type Reading, RuleIndex, type RuleSet, noRules, rulesWhere } from './rule-index.js';

/** Members of payloads that are left out. */
export type WithheldMembers = readonly NonNullable<ShowingRule['without']>[number][];

/** What the server says of others' work, whoever's request led to it. */
const derivedTypes: ReadonlySet<Source['type']> = new Set([
  'ValueDerived',
  'AgentInputsChecked',
  'GatePassed',
  'GateFailed',
  'SummaryAdded',
  // What the interpreter of a run concludes rests on the outputs of all its steps.
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

/** An imported document holds the text of all that it became, which each has a rule of its own. */
const onlyForEverything: ReadonlySet<Source['type']> = new Set(['SourceImported']);

/** A policy as it is looked up for each event. */
export class PolicyIndex {
  /** Whether some rule asks for steps that have failed. */
  readonly asksForFailures: boolean;
  readonly #show: RuleIndex;
  readonly #hide: RuleIndex | undefined;
  readonly #onRecord: RuleSet;
  readonly #working: RuleSet;
  readonly #ofFailedSteps: RuleSet;
  readonly #narrow: RuleSet;
  readonly #keepingBack: RuleSet;
  readonly #showing: ReadonlyMap<WithheldMembers[number], RuleSet>;

  constructor({ show, hide, decisions }: Policy) {
    this.#show = new RuleIndex(show);
    this.#hide = hide && new RuleIndex(hide);
    this.#onRecord = rulesWhere(show, (rule) => visibilityOf(rule).includes('record'));
    this.#working = rulesWhere(show, (rule) => visibilityOf(rule).includes('working'));
    this.#ofFailedSteps = rulesWhere(show, ({ failedSteps }) => failedSteps === true);
    this.asksForFailures = this.#ofFailedSteps !== noRules;
    this.#narrow = rulesWhere(show, isNarrow);
    const isLiveOnly = decisions === 'live';
    this.#keepingBack = rulesWhere(show, (rule) => isLiveOnly || keepsSomethingBack(rule));
    this.#showing = new Map(
      withheldMembers.map((member) => [
        member,
        rulesWhere(show, ({ without }) => !without?.includes(member)),
      ]),
    );
  }

  hides(reading: Reading): boolean {
    return this.#hide !== undefined && this.#hide.speakingOf(reading) !== noRules;
  }

  /** Members left out of the payload of an event that no rule hides; undefined if no rule shows it. */
  withheldOf(
    reading: Reading,
    hasFailed: (stepId: string) => boolean,
  ): WithheldMembers | undefined {
    const { source } = reading;
    if (onlyForEverything.has(source.type)) return undefined;
    const speaking =
      this.#show.speakingOf(reading) &
      (source.visibility === 'record' ? this.#onRecord : this.#working) &
      ~this.#unaware(source.type);
    const isOfFailed =
      (speaking & this.#ofFailedSteps) !== noRules &&
      source.step !== null &&
      hasFailed(source.step);
    const showing = isOfFailed ? speaking : speaking & ~this.#ofFailedSteps;
    if (showing === noRules) return undefined;
    // What any rule shows is shown.
    return withheldMembers.filter(
      (member) => (showing & (this.#showing.get(member) ?? noRules)) === noRules,
    );
  }

  /**
   * Rules that would show an event without having it in mind. What was derived from others' work says something of it: a
   * rule for everything shows it only if nothing else is kept back, any other only if it names the type.
   */
  #unaware(type: Source['type']): RuleSet {
    if (!derivedTypes.has(type)) return noRules;
    const naming = this.#show.naming(type);
    if (this.#hide) return ~naming;
    const keepingBack = type === 'SummaryAdded' ? this.#keepingBack : noRules;
    return (this.#narrow | keepingBack) & ~naming;
  }
}

function visibilityOf({ visibility = ['record'] }: ShowingRule) {
  return visibility;
}

function isNarrow({ authors, steps, failedSteps, kinds, to }: ShowingRule): boolean {
  return [authors, steps, failedSteps, kinds, to].some((member) => member !== undefined);
}

/** A summary covers everything in its own words, so nothing can be withheld from it afterwards. */
function keepsSomethingBack(rule: ShowingRule): boolean {
  return rule.without !== undefined || !visibilityOf(rule).includes('record');
}
