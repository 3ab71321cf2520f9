import { Command } from '@nestjs/cqrs';

import { type Findings } from '#agent-contracts';
import { type Visibility } from '#shared-context';

import { type WriteAnswer, type WriteRequest } from '../writing/write-context.command.js';

export type CheckAgentRequest = Omit<WriteRequest, 'commands' | 'batch' | 'refusal'> &
  Readonly<{ agent: string; visibility?: Visibility | undefined }>;

/** The findings with the versions of the context and of the agent, and the answer to the write that recorded them. */
export type CheckAgentAnswer = Readonly<{
  write: WriteAnswer;
  findings: Findings & Readonly<{ agentVersion: number; checkedVersion: number }>;
}>;

/** Checks the values of a context against the inputs that an agent requires, and records the findings. */
export class CheckAgentCommand extends Command<CheckAgentAnswer> {
  constructor(readonly request: CheckAgentRequest) {
    super();
  }
}
