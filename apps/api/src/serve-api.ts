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
    /** Requests a minute and key; 0 is no limit. */
    rateLimit: number;
    /** Left out in a worker, which browsers do not reach. */
    browserRules?: BrowserRules;
    /** Codes of sign-in links of the web console; a worker serves no console. */
    signInCodes?: SignInCodes;
    /** In a worker: another process has checked the key. */
    authentication?: (request: FastifyRequest) => Promise<void>;
    /** Bytes; in a worker there is room for what the other process adds to the headers. */
    maxHeaderSize?: number;
    /** Where requests go that would keep all others waiting; without it they are answered like any other. */
    workerPool?: WorkerPool;
  }>;

type ApiOptions = CreateApiOptions &
  Readonly<{
    host: string;
    port: number;
    /** How long requests under way may take when the server stops. */
    drainTimeoutMs: number;
  }>;

export type RunningApi = Readonly<{ address: string; stop: () => Promise<void> }>;

const publicRoutes: ReadonlySet<string> = new Set([
  ...apiEndpoints.filter(({ access }) => access === 'public').map(({ path }) => routeOf(path)),
  ...consoleRoutes,
]);

/** What costs as much as the context has, or parts of it, by method and route. */
const expensiveRoutes = new Map(
  apiEndpoints.flatMap(({ method, path, cost }) =>
    cost ? [[`${method} ${routeOf(path)}`, cost] as const] : [],
  ),
);

/** A connection whose last request has been answered would otherwise stay open for its keep-alive time. */
const sweepMs = 20;

/** How long a connection may wait for its next or first request when the server stops: what was sent is on its way. */
const arrivalMs = 250;

/** Serves the API until stopped. Resolves once it listens; throws where the port is taken. */
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

/** Workers that are likely to be needed start now, so that the first request for a large context need not wait for that. */
async function warmUp(
  queries: QueryBus,
  workerPool: WorkerPool,
  logger: ApiOptions['logger'],
): Promise<void> {
  try {
    if (await queries.execute(new HasLargeContextsQuery())) workerPool.warmUp();
  } catch (error) {
    logger.warn({ err: error }, 'workers start when they are needed');
  }
}

/** The API with all its routes, before it listens. */
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

/** Before the routes are made, so that every one of them gets the hooks. */
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
  // Their size is limited; behind a limit of their number Node would drop the rest in silence, If-Match included.
  fastify.server.maxHeadersCount = 0;
  fastify.server.prependListener('request', noteRequest);
  fastify.server.on('connect', refuseTunnel);
  // An expectation we do not know is ignored, as HTTP allows, rather than refused without a body.
  fastify.server.on('checkExpectation', (request, response) =>
    fastify.server.emit('request', request, response),
  );
}

/** Nothing new is accepted, waiting callers are answered, the rest may finish; only then the inside stops. */
async function stop(
  app: NestFastifyApplication,
  connections: OpenConnections,
  { drainTimeoutMs, logger, workerPool }: ApiOptions,
): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  app.get(ContextChanges).stop();
  const asked = performance.now();
  const sweep = setInterval(() => {
    if (performance.now() - asked < arrivalMs) fastify.server.closeIdleConnections();
    else connections.closeUnused();
  }, sweepMs);
  const cut = setTimeout(() => {
    logger.warn({ drainTimeoutMs }, 'requests still under way were cut off');
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
