import { Module } from '@nestjs/common';

import { AgentsModule } from '../agents/agents.module.js';
import { FamiliesModule } from '../families/families.module.js';
import { ReadingModule } from '../reading/reading.module.js';
import { ReceiptsModule } from '../receipts/receipts.module.js';
import { TransformationsModule } from '../transformations/transformations.module.js';
import { ViewsModule } from '../views/views.module.js';
import { PromptSources } from './prompt-sources.js';
import { PromptViews } from './prompt-views.js';
import { RenderPromptHandler } from './render-prompt.handler.js';

@Module({
  imports: [
    AgentsModule,
    FamiliesModule,
    ReadingModule,
    ReceiptsModule,
    TransformationsModule,
    ViewsModule,
  ],
  providers: [PromptSources, PromptViews, RenderPromptHandler],
})
export class PromptsModule {}
