import { Command } from '@nestjs/cqrs';

import { type Findings } from '#agent-contracts';
import { type Visibility } from '#shared-context';

import { type WriteAnswer, type WriteRequest } from '../writing/write-context.command.js';

export type CheckAgentRequest = Omit<WriteRequest, 'commands' | 'batch' | 'refusal'> &
  Readonly<{ agent: string; visibility?: Visibility | undefined }>;

/** What was found, of which version of the context and of the agent, and how it was recorded. */
export type CheckAgentAnswer = Readonly<{
  write: WriteAnswer;
  findings: Findings & Readonly<{ agentVersion: number; checkedVersion: number }>;
}>;

/** Holds what a context has for an agent against what the agent needs, and records what is found. */
export class CheckAgentCommand extends Command<CheckAgentAnswer> {
  constructor(readonly request: CheckAgentRequest) {
    super();
  }
}
