import { Command, Query } from '@nestjs/cqrs';
import { z } from 'zod';

import { runningAttemptsLimit } from '#agent-contracts';
import { tokenizerNames } from '#context-views';
import { defaultMaxIterations, maxIterations } from '#shared-context';

import { type Principal } from '../access/principal.js';

/** The settings of a workspace. A patch leaves omitted members unchanged; `null` returns a member to its default. */
export const settingsSchema = z.strictObject({
  /** A decision with less confidence waits for the approval of a person; with 0, none waits. */
  decisionConfidenceThreshold: z.number().min(0).max(1),
  /** The default for how often a loop may repeat before its circuit breaker trips. */
  maxIterations,
  /** Whether keys of role `agent` may close and reopen contexts. */
  agentsMayClose: z.boolean(),
  /** A context with this many tokens counts as too large; lists warn from 80 % on. */
  tokenThreshold: z.int().min(1).max(1_000_000_000),
  /** The default budget of views in tokens, if neither the registration of the reader nor the request states one. */
  viewMaxTokens: z.int().min(1).max(10_000_000),
  viewTokenizer: z.enum(tokenizerNames),
  /** How many of the newest step outputs a view contains in full if they fit. */
  viewWholeOutputs: z.int().min(0).max(100),
  /** Whether a model writes summaries, if the server has one. */
  summaries: z.boolean(),
  /** How many attempts of runs may run at once; null if any number. */
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
