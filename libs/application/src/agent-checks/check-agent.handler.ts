import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { ContextReader } from '#read-models';

import { type EventData } from '#shared-context';

import { seesEverything } from '../access/reach.js';
import { type WriteAnswer } from '../writing/write-context.command.js';
import { WriteService } from '../writing/write.service.js';
import {
  type CheckAgentAnswer,
  CheckAgentCommand,
  type CheckAgentRequest,
} from './check-agent.command.js';
import { ContractCheck } from './contract-check.js';

type CheckData = EventData<'AgentInputsChecked'>;

@CommandHandler(CheckAgentCommand)
export class CheckAgentHandler implements ICommandHandler<CheckAgentCommand> {
  constructor(
    private readonly check: ContractCheck,
    private readonly writes: WriteService,
    @Inject(ContextReader) private readonly reader: ContextReader,
  ) {}

  async execute({ request }: CheckAgentCommand): Promise<CheckAgentAnswer> {
    const { agent, visibility: requested, ...facts } = request;
    const { data, visibility } = await this.check.find(facts, agent);
    const command = {
      type: 'CheckAgentInputs',
      data,
      visibility: requested === 'working' ? requested : visibility,
    } as const;
    // A check for a narrower audience is not recorded: values that this audience does not see may exist for others.
    const commands = seesEverything(request.principal) ? [command] : [];
    const write = await this.writes.write({ ...facts, commands });
    const { missing, failed, ...of } = (await this.#recorded(write, request)) ?? data;
    const { agentVersion, checkedVersion } = of;
    const ok = missing.length + failed.length === 0;
    return { write, findings: { ok, missing, failed, agentVersion, checkedVersion } };
  }

  /** The recorded findings: a repeated request returns the findings of the first one. */
  async #recorded(
    { events: [event] }: WriteAnswer,
    { principal: { workspace }, contextId }: CheckAgentRequest,
  ): Promise<CheckData | undefined> {
    if (!event) return undefined;
    const [stored] = await this.reader.events({ workspace, contextId }, event.version, 1);
    return stored?.type === 'AgentInputsChecked' ? stored.data : undefined;
  }
}
