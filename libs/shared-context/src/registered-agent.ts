import { type QualityThreshold } from './context.command.js';

/** An agent as the registry had it when the context was last written to. */
export type RegisteredAgent = Readonly<{
  agentId: string;
  name: string;
  role: string;
  kind: string;
  /** Paths of what it needs, and of what it can do without. */
  required: readonly string[];
  optional: readonly string[];
  /** Agents whose outputs it needs. */
  needs: readonly string[];
  /** The thresholds of its contract, for its own outputs and for those that it needs. */
  thresholds: readonly (QualityThreshold & Readonly<{ agent: string }>)[];
}>;
