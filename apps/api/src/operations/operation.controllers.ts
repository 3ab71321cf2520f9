import { GetLiveController } from './get-live.controller.js';
import { GetMetricsController } from './get-metrics.controller.js';
import { GetReadyController } from './get-ready.controller.js';

export const operationControllers = [GetLiveController, GetMetricsController, GetReadyController];
