import { WorkflowStore } from './workflow-store.js';
import {
  FindWorkflowHandler,
  ListWorkflowsHandler,
  PublishWorkflowHandler,
} from './workflows.handlers.js';

export const workflows = [
  WorkflowStore,
  PublishWorkflowHandler,
  ListWorkflowsHandler,
  FindWorkflowHandler,
];
