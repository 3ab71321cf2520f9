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

/** The findings, and their visibility: findings from working notes are `working` too. */
type CheckResult = Readonly<{
  data: EventData<'AgentInputsChecked'>;
  visibility: Visibility;
}>;

/** Checks contexts against the contracts of agents. */
@Injectable()
export class ContractCheck {
  constructor(
    private readonly contexts: AuthorizedContextReader,
    private readonly agents: AgentStore,
    private readonly transformations: TransformationStore,
  ) {}

  /** Inputs that the caller does not see are missing. */
  async find(request: CheckRequest, agent: string): Promise<CheckResult> {
    // Refuses a context that does not exist before anything else.
    await this.contexts.read(request, { keys: [], bodies: false });
    const { workspace } = request.principal;
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
      checks.push(await this.#check({ request, version, inputs, reading, budget }));
    }
    return checked({ agent, agentVersion: view.version }, checks);
  }

  /** Reads all inputs at the version at which the first ones were read. */
  async #check({
    request,
    version,
    inputs,
    reading,
    budget,
  }: CheckInputsRequest): Promise<InputsCheck> {
    // `known`: the version may be one between the parts of an import that has continued since.
    const known = version === undefined ? {} : { known: version };
    const selection = { keys: reading.keys(), bodies: true };
    const { head, state } = await this.contexts.read({ ...request, ...known }, selection);
    const readInput = (input: ContractInput) => reading.inputValue(input, state.lookup);
    const findings = await runInSlices(checkInputs({ inputs }, readInput, budget));
    return { findings, version: head.version, isOnRecord: isOnRecord(reading, state.lookup) };
  }
}

type CheckInputsRequest = Readonly<{
  request: CheckRequest;
  version: number | undefined;
  inputs: readonly ContractInput[];
  reading: ContractReading;
  budget: StepBudget;
}>;

type InputsCheck = Readonly<{ findings: Findings; version: number; isOnRecord: boolean }>;

/** Inputs that are in memory at a time: one input may take two outputs of a mebibyte each. */
const inputsAtOnce = 8;

/** Returns at least one chunk, so that a contract without inputs is checked too. */
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

/** False if the inputs are too many to read, because they may contain working notes. */
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
