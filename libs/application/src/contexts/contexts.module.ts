import { Module } from '@nestjs/common';

import { AudiencesModule } from '../audiences/audiences.module.js';
import { FamiliesModule } from '../families/families.module.js';
import { LongPollsModule } from '../long-polls/long-polls.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { AttentionFinder } from './attention-finder.js';
import { ContextFinder } from './context-finder.js';
import { ContextOverview } from './context-overview.js';
import {
  FindContextHandler,
  FindVersionHandler,
  ListArtifactsHandler,
  ListDecisionsHandler,
} from './context.handlers.js';
import { ListContextsHandler } from './list-contexts.handler.js';
import { ListEventsHandler } from './list-events.handler.js';
import { FindReaderGroupHandler, ReissueReceiptHandler } from './reader-group.js';
import { FindStepOutputHandler, ListStepOutputsHandler } from './step-output.handlers.js';

@Module({
  imports: [
    AudiencesModule,
    FamiliesModule,
    LongPollsModule,
    ReadingModule,
    ReceiptsModule,
    SettingsModule,
  ],
  providers: [
    AttentionFinder,
    ContextFinder,
    ContextOverview,
    FindContextHandler,
    FindVersionHandler,
    FindReaderGroupHandler,
    ReissueReceiptHandler,
    FindStepOutputHandler,
    ListStepOutputsHandler,
    ListDecisionsHandler,
    ListArtifactsHandler,
    ListEventsHandler,
    ListContextsHandler,
  ],
})
export class ContextsModule {}
