import { type JsonObject } from '#event-sourcing';

/**
 * The facts that a story states about itself; null for absent facts, so that a later revision of the story can remove
 * them.
 */
export type StoryFacts = {
  title: string | null;
  number: string | null;
  epic: string | null;
  status: string | null;
  asA: string | null;
  iWant: string | null;
  soThat: string | null;
  /** The sentence, if it does not have the usual parts. */
  statement: string | null;
};

export const noFacts: Readonly<StoryFacts> = {
  title: null,
  number: null,
  epic: null,
  status: null,
  asA: null,
  iWant: null,
  soThat: null,
  statement: null,
};

/** The facts in the value `story` of a global context; members of another type count as absent. */
export function factsIn(value: unknown): StoryFacts {
  const facts: StoryFacts = { ...noFacts };
  if (typeof value !== 'object' || value === null) return facts;
  const members = new Map<string, unknown>(Object.entries(value));
  for (const name of factNames) {
    const value = members.get(name);
    if (typeof value === 'string') facts[name] = value;
  }
  return facts;
}

export function factsAsJson(facts: StoryFacts): JsonObject {
  return { ...facts };
}

const factNames = [
  ...(['title', 'number', 'epic', 'status'] as const),
  ...(['asA', 'iWant', 'soThat', 'statement'] as const),
];
