import { Module } from '@nestjs/common';

import { AgentsModule } from '../agents/agents.module.js';
import { AudiencesModule } from '../audiences/audiences.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { TransformationsModule } from '../transformations/transformations.module.js';
import { ActivityReader } from './activity-reader.js';
import { BasisDecisions } from './basis-decisions.js';
import { HasLargeContextsHandler, IsLargeContextHandler, WrittenGrowth } from './context-size.js';
import { Documents } from './documents.js';
import { ReachableContext } from './reachable-context.js';

@Module({
  imports: [AgentsModule, AudiencesModule, SettingsModule, TransformationsModule],
  providers: [
    ReachableContext,
    BasisDecisions,
    Documents,
    HasLargeContextsHandler,
    IsLargeContextHandler,
    ActivityReader,
    WrittenGrowth,
  ],
  exports: [ActivityReader, BasisDecisions, Documents, ReachableContext, WrittenGrowth],
})
export class ReadingModule {}
