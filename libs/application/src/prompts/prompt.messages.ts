import { Query } from '@nestjs/cqrs';

import { type TokenizerName } from '#context-views';
import { DomainError, type JsonValue } from '#event-sourcing';

import { type Principal } from '../access/principal.js';
import { type AsOf, type SnapshotTag } from '../reading/snapshot-tag.js';

/** The rendered text exceeds the budget. */
export class PromptTooLongError extends DomainError<'budget-too-small'> {
  readonly code = 'budget-too-small';

  constructor(minimumTokens: number, maxTokens: number) {
    super(
      `the prompt takes ${minimumTokens} tokens, but maxTokens is ${maxTokens}: raise maxTokens, or shorten the template`,
      { details: { minimumTokens } },
    );
  }
}

/** At least one of `template` and `agent`: the template, or the agent whose template and persona are used. */
export type PromptRequest = Readonly<{
  principal: Principal;
  contextId: string;
  asOf?: AsOf;
  audience?: string | undefined;
  signal?: AbortSignal | undefined;
  template?: string | undefined;
  agent?: string | undefined;
  input?: JsonValue | undefined;
  /** Paths of required inputs, in addition to those of the contract of the agent. */
  requiredInputs?: readonly string[] | undefined;
  maxTokens?: number | undefined;
  tokenizer?: TokenizerName | undefined;
  /** Whether a missing value of any path of the template is an error. */
  strict?: boolean | undefined;
}>;

/** An input by path, whether it is present, and whether it is required. */
export type CheckedInput = Readonly<{ path: string; present: boolean; required: boolean }>;

export type RenderedPrompt = SnapshotTag &
  Readonly<{
    text: string;
    tokens: number;
    tokenizer: TokenizerName;
    audience: string;
    agent: Readonly<{ agentId: string; version: number }> | null;
    checklist: readonly CheckedInput[];
    /** Paths of the template that rendered as nothing because their values are missing. */
    missing: readonly string[];
    receipt: string;
  }>;

/** Writes nothing. Throws {@link PromptTooLongError}, InvalidInputError, and the errors of reads of documents. */
export class RenderPromptQuery extends Query<RenderedPrompt> {
  constructor(readonly request: PromptRequest) {
    super();
  }
}
