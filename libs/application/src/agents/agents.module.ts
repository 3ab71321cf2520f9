import { Module } from '@nestjs/common';

import { AgentRegistry } from './agent-registry.js';
import { AgentStore } from './agent-store.js';
import {
  FindAgentHandler,
  ListAgentsHandler,
  PutAgentHandler,
  RegisterAgentHandler,
} from './agents.handlers.js';

@Module({
  providers: [
    AgentStore,
    AgentRegistry,
    ListAgentsHandler,
    FindAgentHandler,
    RegisterAgentHandler,
    PutAgentHandler,
  ],
  exports: [AgentRegistry, AgentStore],
})
export class AgentsModule {}
