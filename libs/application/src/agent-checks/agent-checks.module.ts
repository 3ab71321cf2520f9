import { Module } from '@nestjs/common';

import { AgentsModule } from '../agents/agents.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { TransformationsModule } from '../transformations/transformations.module.js';
import { WritingModule } from '../writing/writing.module.js';
import { CheckAgentHandler } from './check-agent.handler.js';
import { ContractCheck } from './contract-check.js';

@Module({
  imports: [AgentsModule, ReadingModule, TransformationsModule, WritingModule],
  providers: [ContractCheck, CheckAgentHandler],
})
export class AgentChecksModule {}
