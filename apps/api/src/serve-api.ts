import 'reflect-metadata';

import { NestFactory } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance, type FastifyRequest } from 'fastify';

import { ContextChanges, HasLargeContextsQuery, RunTimers } from '#application';

import { apiEndpoints, ApiModule, type ApiModuleOptions } from './api.module.js';
import { ApiAdapter } from './http/answer.js';
import { addConsoleRoutes, consoleRoutes } from './console/console.routes.js';
import { type SignInCodes } from './console/sign-in-codes.js';
import { authenticationHook } from './http/authentication.hook.js';
import { useStrictBodies } from './http/body.parser.js';
import { refuseTunnel } from './http/client-error.handler.js';
import {
  OpenConnections,
  closeHook,
  ignoreAfterCloseHook,
  noteRequest,
} from './http/connections.js';
import { type BrowserRules, browserHook } from './http/browser.hook.js';
import { addMcpRoute } from './mcp/mcp.route.js';
import { importsPath } from './moving/import.controller.js';
import { documentBodyLimit, fastifyOptions } from './http/fastify.options.js';
import { RateLimiter } from './http/rate-limiter.js';
import { messageHeadersHook, urlSecretsHook } from './http/request-checks.js';
import { requestLogHook, responseHeadersHook } from './http/request-log.hook.js';
import { forwardingHook } from './workers/forwarding.hook.js';
import { type WorkerPool } from './workers/worker-pool.js';

type CreateApiOptions = ApiModuleOptions &
  Readonly<{
    /** Requests per minute and key; 0 means no limit. */
    rateLimit: number;
    /** Omitted in a worker, which browsers cannot reach. */
    browserRules?: BrowserRules;
    /** Codes of sign-in links of the web console; a worker serves no console. */
    signInCodes?: SignInCodes;
    /** Replaces the check of keys in a worker, because the forwarding process has checked the key. */
    authentication?: (request: FastifyRequest) => Promise<void>;
    /** In bytes; larger in a worker, because the forwarding process adds headers. */
    maxHeaderSize?: number;
    /** Runs expensive requests, which would delay all others; without it they run in this process. */
    workerPool?: WorkerPool;
  }>;

type ApiOptions = CreateApiOptions &
  Readonly<{
    host: string;
    port: number;
    /** The time that running requests get when the server stops. */
    drainTimeoutMs: number;
  }>;

export type RunningApi = Readonly<{ address: string; stop: () => Promise<void> }>;

const publicRoutes: ReadonlySet<string> = new Set([
  ...apiEndpoints.filter(({ access }) => access === 'public').map(({ path }) => routeOf(path)),
  ...consoleRoutes,
]);

/** The cost of expensive endpoints, by method and route. */
const expensiveRoutes = new Map(
  apiEndpoints.flatMap(({ method, path, cost }) =>
    cost ? [[`${method} ${routeOf(path)}`, cost] as const] : [],
  ),
);

/** The interval for closing idle connections of a stopping server, which would otherwise stay open for their keep-alive time. */
const sweepMs = 20;

/** The time in which a stopping server still waits for requests that may be in transit. */
const arrivalMs = 250;

/** Serves the API until it is stopped. Resolves when the server listens; throws if the port is in use. */
export async function serveApi(options: ApiOptions): Promise<RunningApi> {
  const app = await createApi(options);
  const connections = new OpenConnections(app.getHttpAdapter().getInstance().server);
  try {
    await app.listen({ host: options.host, port: options.port });
  } catch (error) {
    await app.close();
    throw error;
  }
  app.get(RunTimers).start();
  if (options.workerPool) void warmUp(app.get(QueryBus), options.workerPool, options.logger);
  let stopped: Promise<void> | undefined;
  return {
    address: await app.getUrl(),
    stop: () => (stopped ??= stop(app, connections, options)),
  };
}

/** Starts the workers if there are large contexts, so that the first request for one need not wait for a start. */
async function warmUp(
  queries: QueryBus,
  workerPool: WorkerPool,
  logger: ApiOptions['logger'],
): Promise<void> {
  try {
    if (await queries.execute(new HasLargeContextsQuery())) workerPool.warmUp();
  } catch (error) {
    logger.warn({ err: error }, 'cannot check for large contexts; workers start on demand');
  }
}

/** Creates the API with all its routes; it does not listen yet. */
export async function createApi(options: CreateApiOptions): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.forRoot(options),
    new ApiAdapter(fastifyOptionsOf(options)),
    { bodyParser: false, logger: false, abortOnError: false },
  );
  const fastify = app.getHttpAdapter().getInstance();
  prepare(fastify, app.get(QueryBus), options);
  const { signInCodes: codes } = options;
  if (codes) addConsoleRoutes(fastify, { commands: app.get(CommandBus), codes });
  const changes = app.get(ContextChanges);
  fastify.addHook('onSend', closeHook(changes));
  return app.init();
}

function fastifyOptionsOf({ maxHeaderSize }: CreateApiOptions) {
  const { http } = fastifyOptions;
  return maxHeaderSize ? { ...fastifyOptions, http: { ...http, maxHeaderSize } } : fastifyOptions;
}

/** Adds the hooks. Must run before the routes are added, so that every route gets them. */
function prepare(fastify: FastifyInstance, queries: QueryBus, options: CreateApiOptions): void {
  const limiter = options.rateLimit > 0 ? new RateLimiter(options.rateLimit) : undefined;
  fastify.decorateRequest('principal', null);
  fastify.decorateRequest('problem', null);
  fastify.decorateRequest('bodyText', '');
  useStrictBodies(fastify, (path) => path === importsPath);
  fastify.addHook('onRoute', (route) => {
    if (route.method === 'PUT' || route.url === importsPath) route.bodyLimit = documentBodyLimit;
  });
  fastify.addHook('onRequest', ignoreAfterCloseHook);
  fastify.addHook('onRequest', requestLogHook(options.logger, options.state));
  fastify.addHook('onRequest', responseHeadersHook);
  fastify.addHook('onRequest', messageHeadersHook);
  const { workerPool, browserRules } = options;
  if (browserRules) fastify.addHook('onRequest', browserHook(browserRules));
  fastify.addHook('onRequest', urlSecretsHook);
  const { authentication = authenticationHook(queries, publicRoutes, limiter) } = options;
  fastify.addHook('onRequest', authentication);
  if (workerPool)
    fastify.addHook('preHandler', forwardingHook(workerPool, queries, expensiveRoutes));
  addMcpRoute(fastify, { version: options.state.version, logger: options.logger });
  // The size of headers is limited. With a limit on their number, Node would silently drop the rest, such as If-Match.
  fastify.server.maxHeadersCount = 0;
  fastify.server.prependListener('request', noteRequest);
  fastify.server.on('connect', refuseTunnel);
  // Unknown expectations are ignored, as HTTP allows; Node would refuse them without a body.
  fastify.server.on('checkExpectation', (request, response) =>
    fastify.server.emit('request', request, response),
  );
}

/** Stops accepting connections, answers waiting requests, lets running ones finish, and then stops timers, workers and the application. */
async function stop(
  app: NestFastifyApplication,
  connections: OpenConnections,
  { drainTimeoutMs, logger, workerPool }: ApiOptions,
): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  app.get(ContextChanges).stop();
  const stoppedAt = performance.now();
  const sweep = setInterval(() => {
    if (performance.now() - stoppedAt < arrivalMs) fastify.server.closeIdleConnections();
    else connections.closeUnused();
  }, sweepMs);
  const cut = setTimeout(() => {
    logger.warn({ drainTimeoutMs }, 'running requests were aborted at the drain timeout');
    fastify.server.closeAllConnections();
  }, drainTimeoutMs);
  try {
    await fastify.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
  await app.get(RunTimers).stop();
  await workerPool?.stop();
  await app.close();
}

function routeOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
