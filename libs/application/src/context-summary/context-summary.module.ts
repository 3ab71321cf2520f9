import { Module } from '@nestjs/common';

import { ContextSummary } from './context-summary.js';

@Module({
  providers: [ContextSummary],
  exports: [ContextSummary],
})
export class ContextSummaryModule {}
