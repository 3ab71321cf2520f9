import { Query } from '@nestjs/cqrs';

import { type Section, type TokenizerName, type ViewItem } from '#context-views';
import { DomainError, type JsonValue } from '#event-sourcing';

import { type Principal } from '../access/principal.js';
import { type AsOf, type Notes, type Seen } from '../reading/context.queries.js';

/** Not even a reference to all there is fits into the budget. */
export class BudgetTooSmallError extends DomainError<'budget-too-small'> {
  readonly code = 'budget-too-small';

  constructor(
    readonly minimumTokens: number,
    maxTokens: number,
  ) {
    super(
      `the least view of this context takes ${minimumTokens} tokens, and maxTokens is ${maxTokens}: ask for more, or for overflow=minimum`,
      { details: { minimumTokens } },
    );
  }
}

/** How a view is made; what is left out is what workspace, agent or server have as default. */
export type ViewWishes = Readonly<{
  maxTokens?: number | undefined;
  tokenizer?: TokenizerName | undefined;
  /** How many of the newest step outputs stay whole while they fit. */
  wholeOutputs?: number | undefined;
  overflow?: 'refuse' | 'minimum' | undefined;
  sections?: readonly Section[] | undefined;
  focus?: Focus | undefined;
}>;

/** For whom or what a view is made. */
export type Focus =
  | Readonly<{ on: 'handover'; agent: string | null; since: number | null }>
  | Readonly<{ on: 'rework'; subject: string }>
  | Readonly<{ on: 'retrospective' }>;

/** Children a view tells of and at which versions; of too many for that, as of when. */
export type ChildrenSeen = readonly (readonly [contextId: string, version: number])[] | string;

/** `children` is null where a receipt of an earlier time does not say it. */
type SettledFocus =
  | Exclude<Focus, Readonly<{ on: 'retrospective' }>>
  | Readonly<{ on: 'retrospective'; children: ChildrenSeen | null }>;

/** The same with every default filled in: what makes the same bytes of the same version, while transformations stay the same. */
export type ViewParameters = Readonly<{
  maxTokens: number;
  tokenizer: TokenizerName;
  wholeOutputs: number;
  overflow: 'refuse' | 'minimum';
  sections: readonly Section[] | null;
  focus: SettledFocus | null;
}>;

export type ViewRequest = ViewWishes &
  Readonly<{
    principal: Principal;
    contextId: string;
    asOf?: AsOf;
    audience?: string | undefined;
    /** Whose view it is; left out, that of the agent of the key. */
    agent?: string | undefined;
    signal?: AbortSignal | undefined;
  }>;

export type RenderedView = Seen &
  Readonly<{
    text: string;
    tokens: number;
    audience: string;
    items: readonly ViewItem[];
    stablePrefixTokens: number;
    parameters: ViewParameters;
    receipt: string;
  }>;

export type NotedView = RenderedView & Notes;

/** Throws {@link BudgetTooSmallError} if the budget is too small and overflow is to be refused. */
export class FindViewQuery extends Query<NotedView> {
  constructor(readonly request: ViewRequest) {
    super();
  }
}

/** The original of what a view shows shortened. `value`: the payload as sent. */
export type ExpandedItem = Readonly<{
  ref: string;
  form: 'whole';
  version: number;
  text: string;
  tokens: number;
  tokenizer: TokenizerName;
  value: JsonValue;
}>;

/** What a roll-up stands for. */
export type ExpandedVersions = Readonly<{
  ref: string;
  form: 'rollup';
  from: number;
  to: number;
  items: readonly Omit<ExpandedItem, 'value'>[];
  nextCursor: string | null;
}>;

export type Expansion = Seen & Readonly<{ answer: ExpandedItem | ExpandedVersions }>;

export type ExpandRequest = Readonly<{
  principal: Principal;
  contextId: string;
  ref: string;
  asOf?: AsOf;
  audience?: string | undefined;
  /** Whose view had the ref; left out, that of the agent of the key. */
  agent?: string | undefined;
  tokenizer?: TokenizerName | undefined;
  /** Of the items of a roll-up. */
  cursor?: string | undefined;
  limit: number;
  signal?: AbortSignal | undefined;
}>;

export class FindViewItemQuery extends Query<Expansion> {
  constructor(readonly request: ExpandRequest) {
    super();
  }
}
