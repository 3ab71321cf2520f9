import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';

import { AgentChecksModule } from './agent-checks/agent-checks.module.js';
import { AgentsModule } from './agents/agents.module.js';
import { AudiencesModule } from './audiences/audiences.module.js';
import { AuthenticationModule } from './authentication/authentication.module.js';
import { ConsistencyModule } from './consistency/consistency.module.js';
import { ClosingModule } from './closing/closing.module.js';
import { ViewTalliesModule } from './view-tallies/view-tallies.module.js';
import { ContextsModule } from './contexts/contexts.module.js';
import { DerivationsModule } from './derivations/derivations.module.js';
import { FamiliesModule } from './families/families.module.js';
import { InboxModule } from './inbox/inbox.module.js';
import { DocumentExchangeModule } from './document-exchange/document-exchange.module.js';
import { KeysModule } from './keys/keys.module.js';
import { LiveStreamsModule } from './live-streams/live-streams.module.js';
import { LongPollsModule } from './long-polls/long-polls.module.js';
import { EventExchangeModule } from './event-exchange/event-exchange.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { PromptsModule } from './prompts/prompts.module.js';
import { ReadingModule } from './reading/reading.module.js';
import { ReceiptReplayModule } from './receipt-replay/receipt-replay.module.js';
import { ReceiptsModule } from './receipts/receipts.module.js';
import { HistoryModule } from './history/history.module.js';
import { RunsModule } from './runs/runs.module.js';
import { SettingsModule } from './settings/settings.module.js';
import { LineageModule } from './lineage/lineage.module.js';
import { TransformationsModule } from './transformations/transformations.module.js';
import { ViewsModule } from './views/views.module.js';
import { WorkflowsModule } from './workflows/workflows.module.js';
import { WritingModule } from './writing/writing.module.js';

/** One module per feature, with its commands, its queries, and the providers that other features may inject. */
const features = [
  AgentChecksModule,
  AgentsModule,
  AudiencesModule,
  AuthenticationModule,
  ConsistencyModule,
  ClosingModule,
  ViewTalliesModule,
  ContextsModule,
  DerivationsModule,
  FamiliesModule,
  InboxModule,
  DocumentExchangeModule,
  KeysModule,
  LiveStreamsModule,
  LongPollsModule,
  EventExchangeModule,
  JobsModule,
  PromptsModule,
  ReadingModule,
  ReceiptReplayModule,
  ReceiptsModule,
  HistoryModule,
  RunsModule,
  SettingsModule,
  LineageModule,
  TransformationsModule,
  ViewsModule,
  WorkflowsModule,
  WritingModule,
];

/** All commands and queries. Their ports come from `ports`, a global module that the platform library provides. */
@Module({})
export class ApplicationModule {
  static register(ports: NonNullable<ModuleMetadata['imports']>[number]): DynamicModule {
    return {
      module: ApplicationModule,
      imports: [CqrsModule.forRoot(), ports, ...features],
      exports: [CqrsModule, AuthenticationModule, LongPollsModule, RunsModule],
    };
  }
}
