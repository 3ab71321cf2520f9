import { Module } from '@nestjs/common';

import { AgentsModule } from '../agents/agents.module.js';
import { AudiencesModule } from '../audiences/audiences.module.js';
import { FamiliesModule } from '../families/families.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { ReceiptReplayModule } from '../receipt-replay/receipt-replay.module.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { TransformationsModule } from '../transformations/transformations.module.js';
import { CarriedHandovers } from './carried-handovers.js';
import { Citations } from './citations.js';
import { ConflictPauses } from './conflict-pauses.js';
import { ContextRegistry } from './context-registry.js';
import { CommandProcessor } from './command-processor.js';
import { commandProcessorProviders } from './command-processor.providers.js';
import { CreationReferences } from './creation-references.js';
import { DocumentChanges } from './document-changes.js';
import { MissedEvents } from './missed-events.js';
import { NamedParent } from './named-parent.js';
import { OwnWrites } from './own-writes.js';
import { ReplaceDocumentHandler } from './replace-document.handler.js';
import { WriteCheck } from './write-check.js';
import { WriteContextHandler } from './write-context.handler.js';
import { WriteOutcomes } from './write-outcomes.js';
import { WritePreparation } from './write-preparation.js';
import { WriteReferences } from './write-references.js';
import { WriteService } from './write.service.js';

@Module({
  imports: [
    AgentsModule,
    AudiencesModule,
    FamiliesModule,
    ReadingModule,
    ReceiptReplayModule,
    ReceiptsModule,
    SettingsModule,
    TransformationsModule,
  ],
  providers: [
    ...commandProcessorProviders,
    Citations,
    CarriedHandovers,
    CreationReferences,
    NamedParent,
    ContextRegistry,
    MissedEvents,
    ConflictPauses,
    WriteOutcomes,
    WriteReferences,
    WritePreparation,
    WriteCheck,
    WriteService,
    WriteContextHandler,
    DocumentChanges,
    ReplaceDocumentHandler,
  ],
  exports: [
    ConflictPauses,
    ContextRegistry,
    CommandProcessor,
    OwnWrites,
    WriteCheck,
    WritePreparation,
    WriteService,
  ],
})
export class WritingModule {}
