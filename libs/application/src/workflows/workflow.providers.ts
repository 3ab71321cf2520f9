import { WorkflowStore } from './workflow-store.js';
import { WorkflowValidator } from './workflow-validator.js';
import {
  FindWorkflowHandler,
  ListWorkflowsHandler,
  PublishWorkflowHandler,
  ValidateWorkflowHandler,
} from './workflows.handlers.js';

export const workflows = [
  WorkflowStore,
  WorkflowValidator,
  ValidateWorkflowHandler,
  PublishWorkflowHandler,
  ListWorkflowsHandler,
  FindWorkflowHandler,
];
