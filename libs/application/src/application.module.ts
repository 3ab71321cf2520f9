import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';

import { Audiences } from './audiences/audiences.js';
import { GatedReader } from './audiences/gated-reader.js';
import { FindPolicyHandler, SetPolicyHandler } from './audiences/policies.handlers.js';
import { PolicyStore } from './audiences/policy-store.js';
import { AgentRegistry } from './agents/agent-registry.js';
import { AgentStore } from './agents/agent-store.js';
import {
  FindAgentHandler,
  ListAgentsHandler,
  PutAgentHandler,
  RegisterAgentHandler,
} from './agents/agents.handlers.js';
import { CheckAgentHandler } from './agents/check-agent.handler.js';
import { ContractCheck } from './agents/contract-check.js';
import { CloseContextHandler } from './closing/close-context.handler.js';
import { StillOpenReader } from './closing/still-open-reader.js';
import { CheckContextHandler } from './checking/check-context.handler.js';
import { Families } from './families/families.js';
import { interchange } from './interchange/interchange.providers.js';
import { keys } from './keys/keys.providers.js';
import { KeyStore } from './keys/key-store.js';
import {
  ListDeadLettersHandler,
  RetryDeadLetterHandler,
} from './operations/dead-letters.handlers.js';
import {
  CancelJobHandler,
  ConfirmJobHandler,
  FindJobHandler,
  ListJobsHandler,
  StartRebuildHandler,
} from './operations/jobs.handlers.js';
import { ListProjectionsHandler } from './operations/projections.handlers.js';
import { moving } from './moving/moving.providers.js';
import { PromptSources } from './prompts/prompt-sources.js';
import { PromptViews } from './prompts/prompt-views.js';
import { RenderPromptHandler } from './prompts/render-prompt.handler.js';
import { BasisDecisions } from './reading/basis-decisions.js';
import {
  FindContextHandler,
  FindVersionHandler,
  ListArtifactsHandler,
  ListDecisionsHandler,
} from './reading/context.handlers.js';
import { HasLargeContextsHandler, IsLargeContextHandler } from './reading/context-size.js';
import { ContextFinder } from './reading/context-finder.js';
import { ContextOverview } from './reading/context-overview.js';
import { Documents } from './reading/documents.js';
import { FindReaderGroupHandler, ReissueReceiptHandler } from './reading/reader-group.js';
import { ListContextsHandler } from './reading/list-contexts.handler.js';
import { ListEventsHandler } from './reading/list-events.handler.js';
import { ReachableContext } from './reading/reachable-context.js';
import { FindStepOutputHandler, ListStepOutputsHandler } from './reading/step-output.handlers.js';
import { replay } from './replay/replay.providers.js';
import { RunTimers } from './runs/run-timers.js';
import { runs } from './runs/runs.providers.js';
import { ChangeSettingsHandler, FindSettingsHandler } from './settings/settings.handlers.js';
import { SettingsStore } from './settings/settings-store.js';
import { ListInboxHandler } from './inbox/list-inbox.handler.js';
import { ContextChanges, longPolls } from './long-polls/long-poll.providers.js';
import { ForkContextHandler } from './timelines/fork-context.handler.js';
import { ListCheckpointsHandler } from './timelines/list-checkpoints.handler.js';
import { RestoreContextHandler } from './timelines/restore-context.handler.js';
import { liveStreams } from './live-streams/live-stream.providers.js';
import { DeriveNowHandler } from './transformations/derive-now.handler.js';
import { DerivedMarks } from './transformations/derived-marks.js';
import { TransformationStore } from './transformations/transformation-store.js';
import {
  FindTransformationHandler,
  ListTransformationsHandler,
  PutTransformationHandler,
} from './transformations/transformations.handlers.js';
import { writing } from './writing/writing.providers.js';
import { citing, receipts } from './receipts/receipt.providers.js';
import { views } from './views/view.providers.js';

const reading = [
  ReachableContext,
  BasisDecisions,
  Documents,
  ContextFinder,
  ContextOverview,
  Families,
  FindContextHandler,
  FindVersionHandler,
  HasLargeContextsHandler,
  IsLargeContextHandler,
  FindReaderGroupHandler,
  ReissueReceiptHandler,
  FindStepOutputHandler,
  ListStepOutputsHandler,
  ListDecisionsHandler,
  ListArtifactsHandler,
  ListEventsHandler,
  ListContextsHandler,
  ListInboxHandler,
  StillOpenReader,
  CloseContextHandler,
  CheckContextHandler,
];
const timelines = [ForkContextHandler, RestoreContextHandler, ListCheckpointsHandler];
const audiences = [PolicyStore, Audiences, GatedReader, FindPolicyHandler, SetPolicyHandler];
const agents = [
  AgentStore,
  AgentRegistry,
  ContractCheck,
  CheckAgentHandler,
  ListAgentsHandler,
  FindAgentHandler,
  RegisterAgentHandler,
  PutAgentHandler,
];
const settings = [SettingsStore, FindSettingsHandler, ChangeSettingsHandler];
const transformations = [
  DerivedMarks,
  TransformationStore,
  ListTransformationsHandler,
  FindTransformationHandler,
  PutTransformationHandler,
  DeriveNowHandler,
];
const prompts = [PromptSources, PromptViews, RenderPromptHandler];
const operations = [
  ListProjectionsHandler,
  StartRebuildHandler,
  FindJobHandler,
  ListJobsHandler,
  CancelJobHandler,
  ConfirmJobHandler,
  ListDeadLettersHandler,
  RetryDeadLetterHandler,
];

/** Commands and queries; the ports they stand on come from `ports`, which platform supplies. */
@Module({})
export class ApplicationModule {
  static register(ports: NonNullable<ModuleMetadata['imports']>[number]): DynamicModule {
    return {
      module: ApplicationModule,
      imports: [CqrsModule.forRoot(), ports],
      providers: [
        receipts,
        ...citing,
        ...writing,
        ...reading,
        ...longPolls,
        ...liveStreams,
        ...replay,
        ...moving,
        ...interchange,
        ...timelines,
        ...keys,
        ...agents,
        ...runs,
        ...settings,
        ...transformations,
        ...audiences,
        ...views,
        ...prompts,
        ...operations,
      ],
      exports: [CqrsModule, ContextChanges, KeyStore, RunTimers],
    };
  }
}
