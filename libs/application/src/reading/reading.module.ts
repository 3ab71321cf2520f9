import { Module } from '@nestjs/common';

import { AgentsModule } from '../agents/agents.module.js';
import { AudiencesModule } from '../audiences/audiences.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { TransformationsModule } from '../transformations/transformations.module.js';
import { ActivityReader } from './activity-reader.js';
import { BasisDecisions } from './basis-decisions.js';
import {
  HasLargeContextsHandler,
  IsLargeContextHandler,
  WriteGrowth,
} from './is-large-context.handler.js';
import { Documents } from './documents.js';
import { AuthorizedContextReader } from './authorized-context-reader.js';

@Module({
  imports: [AgentsModule, AudiencesModule, SettingsModule, TransformationsModule],
  providers: [
    AuthorizedContextReader,
    BasisDecisions,
    Documents,
    HasLargeContextsHandler,
    IsLargeContextHandler,
    ActivityReader,
    WriteGrowth,
  ],
  exports: [ActivityReader, BasisDecisions, Documents, AuthorizedContextReader, WriteGrowth],
})
export class ReadingModule {}
