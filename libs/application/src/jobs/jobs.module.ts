import { Module } from '@nestjs/common';

import { ListDeadLettersHandler, RetryDeadLetterHandler } from './dead-letters.handlers.js';
import {
  CancelJobHandler,
  ConfirmJobHandler,
  FindJobHandler,
  ListJobsHandler,
  StartRebuildHandler,
} from './jobs.handlers.js';
import { ListProjectionsHandler } from './projections.handlers.js';

@Module({
  providers: [
    ListProjectionsHandler,
    StartRebuildHandler,
    FindJobHandler,
    ListJobsHandler,
    CancelJobHandler,
    ConfirmJobHandler,
    ListDeadLettersHandler,
    RetryDeadLetterHandler,
  ],
})
export class JobsModule {}
