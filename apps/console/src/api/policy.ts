/** How many of some events an audience sees. */
export type Extent = 'all' | 'some' | 'none';

/** How much an audience sees of a type of events. */
export type TypeVisibility = Readonly<{
  type: string;
  record: Extent;
  working: Extent;
  withheld: readonly string[];
}>;

export type PolicyRule = Readonly<{
  types: readonly string[];
  visibility?: readonly ('record' | 'working')[];
  authors?: readonly string[];
  steps?: readonly string[];
  failedSteps?: true;
  kinds?: readonly string[];
  to?: readonly string[];
  without?: readonly string[];
}>;

/** A policy, as `GET /v1/policies` lists it. */
export type ListedPolicy = Readonly<{
  audience: string;
  version: number;
  builtIn: boolean;
  show: readonly PolicyRule[];
  hide?: readonly PolicyRule[];
  decisions?: 'all' | 'live';
  events: readonly TypeVisibility[];
}>;

/** The audience without a policy. */
export const everything = 'all';
