import { ListTransformationsController } from './list-transformations.controller.js';
import { GetTransformationController } from './get-transformation.controller.js';
import { DeriveNowController } from './derive-now.controller.js';
import { PutTransformationController } from './put-transformation.controller.js';

export const transformationControllers = [
  ListTransformationsController,
  GetTransformationController,
  DeriveNowController,
  PutTransformationController,
];
