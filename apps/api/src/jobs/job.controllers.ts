import { ListJobsController } from './list-jobs.controller.js';
import { GetJobController } from './get-job.controller.js';
import { CancelJobController } from './cancel-job.controller.js';
import { ConfirmJobController } from './confirm-job.controller.js';

export const jobControllers = [
  ListJobsController,
  GetJobController,
  CancelJobController,
  ConfirmJobController,
];
