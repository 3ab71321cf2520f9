import { Module } from '@nestjs/common';

import { AudiencesModule } from '../audiences/audiences.module.js';
import { FamiliesModule } from '../families/families.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { ViewsModule } from '../views/views.module.js';
import { BasisOfDecision } from './basis-of-decision.js';
import { CitingEvents } from './citing-events.js';
import { DecisionAuthor } from './decision-author.js';
import { DocumentReproducer } from './document-reproducer.js';
import { FamilyReach } from './family-reach.js';
import { FindKnowledgeHandler } from './find-knowledge.handler.js';
import { FindReceiptHandler } from './find-receipt.handler.js';
import { OmittedItems } from './omitted-items.js';
import { ReceiptAccess } from './receipt-access.js';
import { ReceiptText } from './receipt-text.js';
import { TextReproducer } from './text-reproducer.js';

@Module({
  imports: [AudiencesModule, FamiliesModule, ReadingModule, ReceiptsModule, ViewsModule],
  providers: [
    DocumentReproducer,
    TextReproducer,
    ReceiptAccess,
    FamilyReach,
    ReceiptText,
    CitingEvents,
    DecisionAuthor,
    BasisOfDecision,
    OmittedItems,
    FindReceiptHandler,
    FindKnowledgeHandler,
  ],
  exports: [TextReproducer],
})
export class ReceiptReplayModule {}
