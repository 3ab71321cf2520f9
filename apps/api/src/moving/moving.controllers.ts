import { VerifyContextController } from './verify-context.controller.js';
import { ExportContextController } from './export-context.controller.js';
import { ImportController } from './import.controller.js';

export const movingControllers = [
  VerifyContextController,
  ExportContextController,
  ImportController,
];
