import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';

import {
  type AgentFunction,
  ApplicationModule,
  ContextChanges,
  FunctionAgents,
  type Principal,
  RunTimers,
} from '#application';

import { type Config, loadConfig } from '../config.js';
import { createLogger } from '../logger.js';
import { PlatformModule } from '../platform.module.js';
import { type Runtime, openRuntime } from '../runtime.js';
import { WorkflowRunsService } from './workflow-runs.service.js';
import { IN_PROCESS_PRINCIPAL, SharedContextService } from './shared-context.service.js';

type SharedContextOptions = Readonly<{
  /** The URL of a PostgreSQL 15 or newer; by default an embedded one in `dataDir` is used. */
  databaseUrl?: string;
  /** The URL of a KurrentDB for the streams: `esdb://...`; by default streams are in PostgreSQL too. */
  eventStoreUrl?: string;
  /** The prefix of the streams in KurrentDB; by default `throughline`. */
  eventStoreNamespace?: string;
  dataDir?: string;
  workspace?: string;
  /** The author of writes; omit it if the application is not an agent. */
  agentId?: string;
  logLevel?: Config['logLevel'];
  /** Functions of this application that are agents of workflows, by agent id. */
  functions?: Readonly<Record<string, AgentFunction>>;
  /** The maximum number of attempts that they run at the same time; by default 8. */
  functionConcurrency?: number;
}>;

/** `forRoot` opens the storage. It is closed with the application, so call `enableShutdownHooks()`. */
@Module({})
export class SharedContextModule {
  static async forRoot(options: SharedContextOptions = {}): Promise<DynamicModule> {
    const config = loadConfig({
      DATABASE_URL: options.databaseUrl,
      EVENTSTORE_URL: options.eventStoreUrl,
      EVENTSTORE_NAMESPACE: options.eventStoreNamespace,
      THROUGHLINE_DATA_DIR: options.dataDir,
      THROUGHLINE_LOG_LEVEL: options.logLevel ?? 'warn',
    });
    const runtime = await openRuntime(config, createLogger(config));
    return {
      module: SharedContextModule,
      imports: [ApplicationModule.register(PlatformModule.forRuntime(runtime))],
      providers: [
        SharedContextService,
        WorkflowRunsService,
        { provide: IN_PROCESS_PRINCIPAL, useValue: inProcessPrincipal(options) },
        {
          provide: InProcessRuns,
          useFactory: (commands: CommandBus, timers: RunTimers, changes: ContextChanges) => {
            const agents = functionAgents(commands, runtime, options);
            return new InProcessRuns({ agents, timers, changes }, runtime);
          },
          inject: [CommandBus, RunTimers, ContextChanges],
        },
      ],
      exports: [SharedContextService, WorkflowRunsService],
    };
  }
}

/** Runs the timers and the function agents of runs with the application, and closes the storage at its shutdown. */
class InProcessRuns
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  constructor(
    private readonly parts: Readonly<{
      agents: FunctionAgents;
      timers: RunTimers;
      changes: ContextChanges;
    }>,
    private readonly runtime: Runtime,
  ) {}

  onApplicationBootstrap(): void {
    this.parts.timers.start();
    this.parts.agents.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    const { agents, timers, changes } = this.parts;
    changes.stop();
    await Promise.all([agents.stop(), timers.stop()]);
  }

  onApplicationShutdown(): Promise<void> {
    return this.runtime.close();
  }
}

function functionAgents(
  commands: CommandBus,
  { config, log }: Runtime,
  { functions = {}, functionConcurrency: concurrency = 8, ...options }: SharedContextOptions,
): FunctionAgents {
  return new FunctionAgents(
    commands,
    { functions, concurrency, principal: inProcessPrincipal(options) },
    { leaseMs: config.runLeaseMs },
    (error, what) => log.warn({ err: error }, what),
  );
}

/** The embedding application is trusted: it may write for any agent, and counts as a person. */
function inProcessPrincipal({ workspace = 'default', agentId }: SharedContextOptions): Principal {
  return {
    name: agentId ?? 'application',
    role: 'operator',
    isRoot: false,
    workspace,
    keyId: null,
    agentId: agentId ?? null,
    audiences: ['all'],
    actsFor: ['*'],
    contexts: null,
    workflows: null,
    expiresAt: null,
  };
}
