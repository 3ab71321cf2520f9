import { type QualityThreshold } from './context.command.js';

/** An agent as it was registered when the context was last written to. */
export type RegisteredAgent = Readonly<{
  agentId: string;
  name: string;
  role: string;
  kind: string;
  /** Paths of its required and optional inputs. */
  required: readonly string[];
  optional: readonly string[];
  /** Agents whose outputs are among its inputs. */
  needs: readonly string[];
  /** The thresholds of its contract, for its own outputs and for its inputs. */
  thresholds: readonly (QualityThreshold & Readonly<{ agent: string }>)[];
}>;
