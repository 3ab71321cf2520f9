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
  /** Yours, PostgreSQL 15 or newer; without it an embedded one in `dataDir`. */
  databaseUrl?: string;
  /** Puts the streams into KurrentDB: `esdb://...`; without it they are in PostgreSQL too. */
  eventStoreUrl?: string;
  /** Sets these streams apart from others there; `throughline` without it. */
  eventStoreNamespace?: string;
  dataDir?: string;
  workspace?: string;
  /** Shown as the author of what is written; an application that is no agent leaves it out. */
  agentId?: string;
  logLevel?: Config['logLevel'];
  /** Agents of workflows that are functions of this application, by their ids. */
  functions?: Readonly<Record<string, AgentFunction>>;
  /** How many of their attempts run at once; 8 without it. */
  functionConcurrency?: number;
}>;

/** `forRoot` opens the storage; it is closed with the application, so call `enableShutdownHooks()`. */
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

/** Lets runs go on while the application runs, and closes the storage with it. */
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

/** The embedding application is trusted: it may write for any agent, and is a person where rules ask for one. */
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
