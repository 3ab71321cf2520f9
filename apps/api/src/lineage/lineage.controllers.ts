import { CreateCheckpointController } from './create-checkpoint.controller.js';
import { ListCheckpointsController } from './list-checkpoints.controller.js';
import { RestoreContextController } from './restore-context.controller.js';
import { ForkContextController } from './fork-context.controller.js';

export const lineageControllers = [
  CreateCheckpointController,
  ListCheckpointsController,
  RestoreContextController,
  ForkContextController,
];
