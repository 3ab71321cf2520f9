import { Query } from '@nestjs/cqrs';

import { type TokenizerName } from '#context-views';
import { DomainError, type JsonValue } from '#event-sourcing';

import { type Principal } from '../access/principal.js';
import { type AsOf, type SnapshotTag } from '../reading/snapshot-tag.js';

/** The rendered text takes more tokens than it may. */
export class PromptTooLongError extends DomainError<'budget-too-small'> {
  readonly code = 'budget-too-small';

  constructor(minimumTokens: number, maxTokens: number) {
    super(
      `the prompt takes ${minimumTokens} tokens, and maxTokens is ${maxTokens}: allow more, or let the template name less`,
      { details: { minimumTokens } },
    );
  }
}

/** One of `template` and `agent` at least: the template itself, or whose registered one and whose persona. */
export type PromptRequest = Readonly<{
  principal: Principal;
  contextId: string;
  asOf?: AsOf;
  audience?: string | undefined;
  signal?: AbortSignal | undefined;
  template?: string | undefined;
  agent?: string | undefined;
  input?: JsonValue | undefined;
  /** Paths of what must be there, beside what the agent's contract requires. */
  requiredInputs?: readonly string[] | undefined;
  maxTokens?: number | undefined;
  tokenizer?: TokenizerName | undefined;
  /** Refuses a prompt in which something that the template names is missing. */
  strict?: boolean | undefined;
}>;

/** What was asked for by path, whether it is there, and whether it had to be. */
export type Checked = Readonly<{ path: string; present: boolean; required: boolean }>;

export type RenderedPrompt = SnapshotTag &
  Readonly<{
    text: string;
    tokens: number;
    tokenizer: TokenizerName;
    audience: string;
    agent: Readonly<{ agentId: string; version: number }> | null;
    checklist: readonly Checked[];
    /** Paths of the template that have rendered as nothing because nothing is there. */
    missing: readonly string[];
    receipt: string;
  }>;

/** Writes nothing. Throws {@link PromptTooLongError}, InvalidInputError, and what reads of documents throw. */
export class RenderPromptQuery extends Query<RenderedPrompt> {
  constructor(readonly request: PromptRequest) {
    super();
  }
}
