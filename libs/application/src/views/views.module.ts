import { Module } from '@nestjs/common';

import { AgentsModule } from '../agents/agents.module.js';
import { AudiencesModule } from '../audiences/audiences.module.js';
import { ViewTalliesModule } from '../view-tallies/view-tallies.module.js';
import { FamiliesModule } from '../families/families.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { TransformationsModule } from '../transformations/transformations.module.js';
import { PreviousVersion } from './previous-version.js';
import { SnapshotCache } from './snapshot-cache.js';
import { SourcePairs } from './source-pairs.js';
import { SummaryNote } from './summary-note.js';
import { ViewDefaults } from './view-defaults.js';
import { FindViewItemHandler, ViewExpansion } from './view-expansion.js';
import { ViewFocus } from './view-focus.js';
import { ViewSourceReader } from './view-source-reader.js';
import { FindViewHandler, Views } from './views.js';
import { ItemDetailsReader } from './whole-item-reader.js';

@Module({
  imports: [
    AgentsModule,
    AudiencesModule,
    ViewTalliesModule,
    FamiliesModule,
    ReadingModule,
    ReceiptsModule,
    SettingsModule,
    TransformationsModule,
  ],
  providers: [
    Views,
    ItemDetailsReader,
    ViewDefaults,
    ViewExpansion,
    ViewFocus,
    ViewSourceReader,
    SnapshotCache,
    SourcePairs,
    PreviousVersion,
    SummaryNote,
    FindViewHandler,
    FindViewItemHandler,
  ],
  exports: [ViewDefaults, Views],
})
export class ViewsModule {}
