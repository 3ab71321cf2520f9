import { type Source } from '#shared-context';

import { type HidingRule, reader, self } from './policy.js';

/** A set of rules of a policy: the bit at the index of each rule. */
export type RuleSet = bigint;

export const noRules: RuleSet = 0n;

/** Returns the aliases, such as `$reader`, by which rules refer to an agent in addition to its own name. */
type AliasesOf = (agent: string) => readonly string[];

/** A source, with the aliases of its author and of the agent it concerns if one of them is the reader. */
export type RuleSubject = Readonly<{ source: Source; aliasesOf: AliasesOf }>;

/**
 * Finds the rules that match an event, with one lookup for each condition: the cost depends neither on the number of rules nor
 * on the number of names in them.
 */
export class RuleIndex {
  readonly #types: NameIndex;
  readonly #authors: NameIndex;
  readonly #steps: NameIndex;
  readonly #kinds: NameIndex;
  readonly #to: NameIndex;

  constructor(rules: readonly HidingRule[]) {
    this.#types = new NameIndex(
      rules.map(({ types }) => types),
      '*',
    );
    this.#authors = new NameIndex(rules.map(({ authors }) => authors));
    this.#steps = new NameIndex(rules.map(({ steps }) => steps));
    this.#kinds = new NameIndex(rules.map(({ kinds }) => kinds));
    this.#to = new NameIndex(rules.map(({ to }) => to));
  }

  matchingRules({ source: { type, author, step, about }, aliasesOf }: RuleSubject): RuleSet {
    return (
      this.#types.rulesFor(type) &
      this.#authors.rulesFor(author, aliasesOf) &
      this.#steps.rulesFor(step) &
      this.#kinds.rulesFor(about) &
      this.#to.rulesFor(about, aliasesOf)
    );
  }

  /** The rules that may match an event of this type. `hasSubject`: whether events of the type have one (`about`). */
  rulesForType(type: Source['type'], hasSubject: boolean): RuleSet {
    const rules = this.#types.rulesFor(type);
    return hasSubject ? rules : rules & this.#kinds.rulesFor(null) & this.#to.rulesFor(null);
  }

  /** The rules that list this type by name, with any other conditions. */
  naming(type: Source['type']): RuleSet {
    return this.#types.rulesNaming(type);
  }
}

/** The rules for which `isTrue` holds. */
export function rulesFulfilling<Rule>(
  rules: readonly Rule[],
  isTrue: (rule: Rule) => boolean,
): RuleSet {
  return rules.reduce((set, rule, at) => (isTrue(rule) ? set | bitOf(at) : set), noRules);
}

/** Indexes one list of names per rule. A rule without a list matches any name, a rule with a list matches the names in it. */
class NameIndex {
  #open = noRules;
  readonly #naming = new Map<string, RuleSet>();

  constructor(lists: readonly (readonly string[] | undefined)[], anything?: string) {
    for (const [at, names] of lists.entries()) {
      if (!names) this.#open |= bitOf(at);
      for (const name of names ?? []) this.#naming.set(name, this.rulesNaming(name) | bitOf(at));
    }
    if (anything !== undefined) this.#open |= this.rulesNaming(anything);
  }

  /** With `aliasesOf`, the name is that of an agent: an agent whose own name is an alias does not match rules by that name. */
  rulesFor(name: string | null, aliasesOf?: AliasesOf): RuleSet {
    if (name === null) return this.#open;
    const names = aliasesOf ? [...aliasesOf(name), ...(isAlias(name) ? [] : [name])] : [name];
    return names.reduce((set, one) => set | this.rulesNaming(one), this.#open);
  }

  rulesNaming(name: string): RuleSet {
    return this.#naming.get(name) ?? noRules;
  }
}

function bitOf(index: number): RuleSet {
  return 1n << BigInt(index);
}

function isAlias(name: string): boolean {
  return name === reader || name === self;
}
