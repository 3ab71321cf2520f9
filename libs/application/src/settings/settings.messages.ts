import { Command, Query } from '@nestjs/cqrs';
import { z } from 'zod';

import { runningAttemptsLimit } from '#agent-contracts';
import { tokenizerNames } from '#context-views';
import { defaultMaxIterations, maxIterations } from '#shared-context';

import { type Principal } from '../access/principal.js';

/** Workspace defaults; a member left out of a patch stays, `null` returns it to the default. */
export const settingsSchema = z.strictObject({
  /** A decision stated with less confidence waits for a person; 0 never waits. */
  decisionConfidenceThreshold: z.number().min(0).max(1),
  /** How often a loop may run before a person has to look at it, where nobody said otherwise. */
  maxIterations,
  /** Whether keys of role `agent` may close and reopen contexts. */
  agentsMayClose: z.boolean(),
  /** Tokens from which on a context is said to be too large; lists warn from 80 % of them on. */
  tokenThreshold: z.int().min(1).max(1_000_000_000),
  /** How many tokens a view has at most, where neither its reader's registration nor the request says so. */
  viewMaxTokens: z.int().min(1).max(10_000_000),
  viewTokenizer: z.enum(tokenizerNames),
  /** How many of the newest step outputs views keep whole while they fit. */
  viewWholeOutputs: z.int().min(0).max(100),
  /** Whether a model writes summaries, where the server has one. */
  summaries: z.boolean(),
  /** How many attempts of runs may run at once; null: any number. */
  maxRunningAttempts: z.int().min(1).max(runningAttemptsLimit).nullable(),
});

export type Settings = Readonly<z.output<typeof settingsSchema>>;

export const defaultSettings: Settings = {
  decisionConfidenceThreshold: 0.5,
  maxIterations: defaultMaxIterations,
  agentsMayClose: true,
  tokenThreshold: 50_000,
  viewMaxTokens: 50_000,
  viewTokenizer: 'o200k_base',
  viewWholeOutputs: 3,
  summaries: true,
  maxRunningAttempts: null,
};

export class FindSettingsQuery extends Query<Settings> {
  constructor(readonly principal: Principal) {
    super();
  }
}

export class ChangeSettingsCommand extends Command<Settings> {
  constructor(
    readonly principal: Principal,
    readonly patch: Readonly<{ [Name in keyof Settings]?: Settings[Name] | null | undefined }>,
  ) {
    super();
  }
}
