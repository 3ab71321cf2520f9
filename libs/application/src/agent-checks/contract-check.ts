import { Injectable } from '@nestjs/common';

import {
  type ContractInput,
  type Findings,
  checkBudget,
  checkInputs,
  contractLimits,
} from '#agent-contracts';
import { type EventData, type ItemLookup, type Visibility } from '#shared-context';
import { runInSlices } from '#slices';
import { type StepBudget, StepsExceededError } from '#transformations';

import { type Principal } from '../access/principal.js';
import { type RegisteredAgent } from '../agents/agent-rows.js';
import { AgentStore } from '../agents/agent-store.js';
import { ResourceNotFoundError } from '../errors.js';
import { AuthorizedContextReader } from '../reading/authorized-context-reader.js';
import { PlaceReader } from '../transformations/place-reader.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { ContractReading } from './contract-reading.js';

type CheckRequest = Readonly<{ principal: Principal; contextId: string }>;

/** What was found, and who may see it: what rests on working notes is one. */
type CheckResult = Readonly<{
  data: EventData<'AgentInputsChecked'>;
  visibility: Visibility;
}>;

/** Holds contexts against the contracts of agents. */
@Injectable()
export class ContractCheck {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly agents: AgentStore,
    private readonly transformations: TransformationStore,
  ) {}

  /** What the caller does not see, is missing: an agent's inputs are what can be read. */
  async find(wanted: CheckRequest, agent: string): Promise<CheckResult> {
    // Whether the context is there is known first.
    await this.contexts.read(wanted, { keys: [], bodies: false });
    const { workspace } = wanted.principal;
    const registered = await this.agents.find(workspace);
    const { view, contract } = requireAgent(agent, registered);
    const { places } = await this.transformations.find(workspace);
    const contracts = registered.map((one) => one.contract);
    const reader = new PlaceReader(places);
    const budget = checkBudget();
    const checks: InputsCheck[] = [];
    for (const inputs of chunksOf(contract.inputs)) {
      const reading = new ContractReading({ inputs }, contracts, reader, budget.spend);
      const version = checks[0]?.version;
      checks.push(await this.#check({ wanted, version, inputs, reading, budget }));
    }
    return checked({ agent, agentVersion: view.version }, checks);
  }

  /** All inputs are read at the version at which the first were. */
  async #check({ wanted, version, inputs, reading, budget }: Checking): Promise<InputsCheck> {
    // An import in parts may have ended within a write then, and have gone on since.
    const known = version === undefined ? {} : { known: version };
    const selection = { keys: reading.keys(), bodies: true };
    const { head, state } = await this.contexts.read({ ...wanted, ...known }, selection);
    const given = (input: ContractInput) => reading.given(input, state.lookup);
    const findings = await runInSlices(checkInputs({ inputs }, given, budget));
    return { findings, version: head.version, isOnRecord: isOnRecord(reading, state.lookup) };
  }
}

type Checking = Readonly<{
  wanted: CheckRequest;
  version: number | undefined;
  inputs: readonly ContractInput[];
  reading: ContractReading;
  budget: StepBudget;
}>;

type InputsCheck = Readonly<{ findings: Findings; version: number; isOnRecord: boolean }>;

/** An input may be two outputs of a mebibyte: no more are in memory at a time than these. */
const inputsAtOnce = 8;

/** At least one, so that a contract without inputs is checked, too. */
function chunksOf(inputs: readonly ContractInput[]): readonly (readonly ContractInput[])[] {
  const count = Math.max(1, Math.ceil(inputs.length / inputsAtOnce));
  return Array.from({ length: count }, (_, at) =>
    inputs.slice(at * inputsAtOnce, (at + 1) * inputsAtOnce),
  );
}

function checked(
  of: Pick<EventData<'AgentInputsChecked'>, 'agent' | 'agentVersion'>,
  checks: readonly InputsCheck[],
): CheckResult {
  const data = {
    ...of,
    checkedVersion: checks[0]?.version ?? 0,
    missing: checks.flatMap(({ findings }) => findings.missing),
    failed: checks.flatMap(({ findings }) => findings.failed).slice(0, contractLimits.findings),
  };
  const isOnRecord = checks.every((check) => check.isOnRecord);
  return { data, visibility: isOnRecord ? 'record' : 'working' };
}

/** What was too much to be read may be working notes. */
function isOnRecord(reading: ContractReading, current: ItemLookup): boolean {
  try {
    return reading.isOnRecord(current);
  } catch (error) {
    if (error instanceof StepsExceededError) return false;
    throw error;
  }
}

function requireAgent(agentId: string, registered: readonly RegisteredAgent[]): RegisteredAgent {
  const found = registered.find(({ view }) => view.agentId === agentId);
  if (!found) throw new ResourceNotFoundError(`there is no agent "${agentId}" here`);
  return found;
}
