import { counted } from '../../ui/counted.js';

/** A registered agent, as `GET /v1/agents` returns it. */
export type Agent = Readonly<{
  agentId: string;
  name: string;
  role: string;
  kind: string;
  persona?: string;
  template?: string;
  contract?: Readonly<{
    inputs?: Readonly<Record<string, unknown>>;
    outputs?: Readonly<Record<string, unknown>>;
  }>;
  view?: Readonly<Record<string, unknown>>;
  maxRunningAttempts?: number;
  version: number;
  changedAt: string;
  changedBy: string;
}>;

/** The size of the contract of an agent. */
export function contractText({ contract }: Pick<Agent, 'contract'>): string {
  const [inputs, outputs] = [contract?.inputs ?? {}, contract?.outputs ?? {}];
  const counts = [Object.keys(inputs).length, Object.keys(outputs).length] as const;
  if (counts[0] + counts[1] === 0) return 'no contract';
  return `${counted(counts[0], 'input')}, ${counted(counts[1], 'output')}`;
}

/** The parts of a registration that the row of the agent does not show. */
export function detailsOf(agent: Agent): Readonly<Record<string, unknown>> {
  const { contract, view, maxRunningAttempts, persona, template } = agent;
  const { inputs, outputs } = contract ?? {};
  const details = { inputs, outputs, view, maxRunningAttempts, persona, template };
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
