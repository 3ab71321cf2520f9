import { Module } from '@nestjs/common';

import { AgentsModule } from '../agents/agents.module.js';
import { WorkflowStore } from './workflow-store.js';
import { WorkflowValidator } from './workflow-validator.js';
import {
  FindWorkflowHandler,
  ListWorkflowsHandler,
  PublishWorkflowHandler,
  ValidateWorkflowHandler,
} from './workflows.handlers.js';

@Module({
  imports: [AgentsModule],
  providers: [
    WorkflowStore,
    WorkflowValidator,
    ValidateWorkflowHandler,
    PublishWorkflowHandler,
    ListWorkflowsHandler,
    FindWorkflowHandler,
  ],
  exports: [WorkflowStore],
})
export class WorkflowsModule {}
