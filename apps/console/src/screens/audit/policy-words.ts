import { wordsOf } from '../timeline/event.js';
import { type ListedPolicy, type PolicyRule } from '../../api/policy.js';

/** A policy in sentences. Names of agents, steps and kinds are in quotation marks. */
type PolicyWords = Readonly<{
  shows: readonly string[];
  hides: readonly string[];
  /** Whether decisions that are not in force are visible. */
  decisions: string;
}>;

export function wordsOfPolicy({ show, hide = [], decisions }: ListedPolicy): PolicyWords {
  return {
    shows: show.map((rule) => wordsOfRule(rule, visibilityWords(rule))),
    hides: hide.map((rule) => wordsOfRule(rule, '')),
    decisions:
      decisions === 'live'
        ? 'Decisions are visible only while they are in force.'
        : 'Decisions stay visible after they were superseded or rejected.',
  };
}

/** The same sentence for each rule: which events, under which conditions, and without which members. */
function wordsOfRule(rule: PolicyRule, visibility: string): string {
  const { types, authors, steps, failedSteps, kinds, to, without } = rule;
  const parts = [
    `${types.includes('*') ? 'All events' : `Events: ${types.map(wordsOf).join(', ')}`}${visibility}`,
    authors && `by ${agents(authors)}`,
    steps && `of the step ${quoted(steps)}`,
    failedSteps && 'of steps that have failed',
    kinds && `of the kind ${quoted(kinds)}`,
    to && `addressed to ${agents(to)}`,
    without && `without ${without.map(memberWords).join(', ')}`,
  ];
  return `${parts.filter((part) => part !== undefined).join('; ')}.`;
}

function visibilityWords({ visibility = ['record'] }: PolicyRule): string {
  if (visibility.length > 1) return ', also working notes';
  return visibility[0] === 'working' ? ', only working notes' : '';
}

const aliases: Readonly<Record<string, string>> = {
  $reader: 'the agent of the reader, or an agent with the name of the audience',
  $self: 'the agent of the reader',
};

function agents(names: readonly string[]): string {
  return alternatives(
    names.map((name) => (Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : `“${name}”`)),
  );
}

function quoted(names: readonly string[]): string {
  return alternatives(names.map((name) => `“${name}”`));
}

function alternatives(names: readonly string[]): string {
  return names.join(' or ');
}

/** The words of a member: `alternativesConsidered` becomes `alternatives considered`. */
export function memberWords(member: string): string {
  return wordsOf(member);
}
