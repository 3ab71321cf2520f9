import { type Section, type TokenizerName, type ViewItem } from '#context-views';
import { DomainError, type JsonValue } from '#event-sourcing';

import { type Principal } from '../access/principal.js';
import { type AsOf, type Notes, type SnapshotTag } from '../reading/snapshot-tag.js';

/** The smallest view, a single reference to the whole context, exceeds the budget. */
export class BudgetTooSmallError extends DomainError<'budget-too-small'> {
  readonly code = 'budget-too-small';

  constructor(
    readonly minimumTokens: number,
    maxTokens: number,
  ) {
    super(
      `the smallest view of this context takes ${minimumTokens} tokens, but maxTokens is ${maxTokens}: raise it, or set overflow=minimum`,
      { details: { minimumTokens } },
    );
  }
}

/** Options of a view. Defaults come from the agent, the workspace or the server. */
type ViewOptions = Readonly<{
  maxTokens?: number | undefined;
  tokenizer?: TokenizerName | undefined;
  /** The number of newest step outputs that are shown in full while they fit. */
  wholeOutputs?: number | undefined;
  overflow?: 'refuse' | 'minimum' | undefined;
  sections?: readonly Section[] | undefined;
  focus?: Focus | undefined;
}>;

/** The purpose of a view. */
export type Focus =
  | Readonly<{ on: 'handover'; agent: string | null; since: number | null }>
  | Readonly<{ on: 'rework'; subject: string }>
  | Readonly<{ on: 'retrospective' }>;

/**
 * The children that a view lists, each with its version; the time of the read if that list is too long for a receipt.
 */
export type ChildVersions = readonly (readonly [contextId: string, version: number])[] | string;

/** `children` is null if the receipt was issued before receipts recorded it. */
type ResolvedFocus =
  | Exclude<Focus, Readonly<{ on: 'retrospective' }>>
  | Readonly<{ on: 'retrospective'; children: ChildVersions | null }>;

/**
 * The options with all defaults filled in: at one version they render the same bytes while the transformations do not
 * change.
 */
export type ViewParameters = Readonly<{
  maxTokens: number;
  tokenizer: TokenizerName;
  wholeOutputs: number;
  overflow: 'refuse' | 'minimum';
  sections: readonly Section[] | null;
  focus: ResolvedFocus | null;
}>;

export type ViewRequest = ViewOptions &
  Readonly<{
    principal: Principal;
    contextId: string;
    asOf?: AsOf;
    audience?: string | undefined;
    /** The agent that the view is rendered for; default: the agent of the key. */
    agent?: string | undefined;
    signal?: AbortSignal | undefined;
  }>;

export type RenderedView = SnapshotTag &
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

/** The original of an entry that a view shortens. `value`: the payload as the client sent it. */
export type ExpandedItem = Readonly<{
  ref: string;
  form: 'whole';
  version: number;
  text: string;
  tokens: number;
  tokenizer: TokenizerName;
  value: JsonValue;
}>;

/** The originals that a roll-up of a view summarizes. */
type ExpandedVersions = Readonly<{
  ref: string;
  form: 'rollup';
  from: number;
  to: number;
  items: readonly Omit<ExpandedItem, 'value'>[];
  nextCursor: string | null;
}>;

export type Expansion = SnapshotTag & Readonly<{ answer: ExpandedItem | ExpandedVersions }>;

export type ExpandRequest = Readonly<{
  principal: Principal;
  contextId: string;
  ref: string;
  asOf?: AsOf;
  audience?: string | undefined;
  /** The agent whose view contained the ref; default: the agent of the key. */
  agent?: string | undefined;
  tokenizer?: TokenizerName | undefined;
  /** Continues the items of a roll-up. */
  cursor?: string | undefined;
  limit: number;
  signal?: AbortSignal | undefined;
}>;
