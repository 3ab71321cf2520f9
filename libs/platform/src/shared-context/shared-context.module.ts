import { type DynamicModule, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';

import { ApplicationModule, type Principal } from '#application';

import { type Config, loadConfig } from '../config.js';
import { createLogger } from '../logger.js';
import { PlatformModule } from '../platform.module.js';
import { type Runtime, openRuntime } from '../runtime.js';
import { IN_PROCESS_PRINCIPAL, SharedContextService } from './shared-context.service.js';

export type SharedContextOptions = Readonly<{
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
        { provide: IN_PROCESS_PRINCIPAL, useValue: inProcessPrincipal(options) },
        { provide: RuntimeCloser, useValue: new RuntimeCloser(runtime) },
      ],
      exports: [SharedContextService],
    };
  }
}

@Injectable()
class RuntimeCloser implements OnApplicationShutdown {
  constructor(private readonly runtime: Runtime) {}

  onApplicationShutdown(): Promise<void> {
    return this.runtime.close();
  }
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
