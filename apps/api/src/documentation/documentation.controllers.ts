import { GetDocsController } from './get-docs.controller.js';
import { GetOpenApiController } from './get-openapi.controller.js';
import { GetProblemPageController } from './get-problem-page.controller.js';

export const documentationControllers = [
  GetDocsController,
  GetOpenApiController,
  GetProblemPageController,
];
