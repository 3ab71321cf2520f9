import { Injectable } from '@nestjs/common';

import { checkInputs } from '#agent-contracts';
import { type EventData, type Visibility } from '#shared-context';

import { type Principal } from '../access/principal.js';
import { ResourceNotFoundError } from '../errors.js';
import { ReachableContext } from '../reading/reachable-context.js';
import { PlaceReader } from '../transformations/place-reader.js';
import { TransformationStore } from '../transformations/transformation-store.js';
import { type RegisteredAgent } from './agent-rows.js';
import { AgentStore } from './agent-store.js';
import { ContractReading } from './contract-reading.js';

type Wanted = Readonly<{ principal: Principal; contextId: string }>;

/** What was found, and who may see it: what rests on working notes is one. */
export type Checked = Readonly<{
  data: EventData<'AgentInputsChecked'>;
  visibility: Visibility;
}>;

/** Holds contexts against the contracts of agents. */
@Injectable()
export class ContractCheck {
  constructor(
    private readonly contexts: ReachableContext,
    private readonly agents: AgentStore,
    private readonly transformations: TransformationStore,
  ) {}

  /** What the caller does not see, is missing: an agent's inputs are what can be read. */
  async find(wanted: Wanted, agent: string): Promise<Checked> {
    // Whether the context is there is known first.
    await this.contexts.read(wanted, { keys: [], bodies: false });
    const { workspace } = wanted.principal;
    const registered = await this.agents.find(workspace);
    const { view, contract } = requireAgent(agent, registered);
    const { places } = await this.transformations.find(workspace);
    const reading = new ContractReading(
      contract,
      registered.map((one) => one.contract),
      new PlaceReader(places),
    );
    const selection = { keys: reading.keys(), bodies: true };
    const { head, state } = await this.contexts.read(wanted, selection);
    const found = checkInputs(contract, (input) => reading.given(input, state.lookup));
    const data = {
      ...{ agent, agentVersion: view.version, checkedVersion: head.version },
      ...{ missing: [...found.missing], failed: [...found.failed] },
    };
    return { data, visibility: reading.isOnRecord(state.lookup) ? 'record' : 'working' };
  }
}

function requireAgent(agentId: string, registered: readonly RegisteredAgent[]): RegisteredAgent {
  const found = registered.find(({ view }) => view.agentId === agentId);
  if (!found) throw new ResourceNotFoundError(`there is no agent "${agentId}" here`);
  return found;
}
