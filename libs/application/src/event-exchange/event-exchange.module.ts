import { Module } from '@nestjs/common';

import { ReadingModule } from '../reading/reading.module.js';
import { WritingModule } from '../writing/writing.module.js';
import { ContextChain } from './context-chain.js';
import { ExportContextHandler } from './export-context.handler.js';
import { ImportAppender } from './import-appender.js';
import { ImportEventsHandler } from './import-events.handler.js';
import { ImportPlanner } from './import-planner.js';
import { VerifyContextHandler } from './verify-context.handler.js';

@Module({
  imports: [ReadingModule, WritingModule],
  providers: [
    ContextChain,
    VerifyContextHandler,
    ExportContextHandler,
    ImportPlanner,
    ImportAppender,
    ImportEventsHandler,
  ],
})
export class EventExchangeModule {}
