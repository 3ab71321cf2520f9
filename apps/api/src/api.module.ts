import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { type Logger } from 'pino';

import { controllers } from './api.controllers.js';
import { ApiDocumentation } from './documentation/api-documentation.js';
import { WriteEndpointAdapter } from './http/write-endpoint-adapter.js';
import { endpointsOf } from './http/endpoint.js';
import { ServerState } from './http/server-state.js';
import { ProblemFilter } from './problems/problem.filter.js';

export type ApiModuleOptions = Readonly<{
  /** Modules that export the command and query buses, and ContextChanges. */
  imports: NonNullable<ModuleMetadata['imports']>;
  logger: Logger;
  state: ServerState;
}>;

/** Every endpoint that the API declares; the documentation and the authorization tests are derived from it. */
export const apiEndpoints = controllers.flatMap(endpointsOf);

@Module({})
export class ApiModule {
  static forRoot({ imports, logger, state }: ApiModuleOptions): DynamicModule {
    return {
      module: ApiModule,
      imports,
      controllers,
      providers: [
        WriteEndpointAdapter,
        { provide: ServerState, useValue: state },
        { provide: ApiDocumentation, useValue: new ApiDocumentation(apiEndpoints, state.version) },
        { provide: APP_FILTER, useValue: new ProblemFilter(logger) },
      ],
    };
  }
}
