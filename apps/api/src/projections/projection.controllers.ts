import { ListProjectionsController } from './list-projections.controller.js';
import { RebuildProjectionController } from './rebuild-projection.controller.js';

export const projectionControllers = [ListProjectionsController, RebuildProjectionController];
