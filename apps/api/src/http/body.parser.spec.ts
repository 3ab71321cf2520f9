import { once } from 'node:events';
import { request as openRequest } from 'node:http';
import { type AddressInfo } from 'node:net';

import { fastify } from 'fastify';

import { problemTable } from '../problems/problem-table.js';
import { findProblem } from '../problems/to-problem.js';
import { useStrictBodies } from './body.parser.js';
import { TextBody, textMediaTypes } from './text-body.js';

describe('request bodies', () => {
  const server = fastify();
  beforeAll(async () => {
    useStrictBodies(server, (path) => path === '/imports');
    server.decorateRequest('bodyText', '');
    server.setErrorHandler((error, _request, reply) => {
      const { code } = findProblem(error);
      return reply.code(problemTable[code].status).send(code);
    });
    server.setNotFoundHandler((_request, reply) => reply.code(404).send('not found'));
    const answer = async ({ body }: { body: unknown }) =>
      body instanceof TextBody ? `text ${body.text}` : `JSON ${JSON.stringify(body)}`;
    server.post('/imports', answer);
    server.route({ method: ['GET', 'POST', 'DELETE'], url: '/several', handler: answer });
    server.route({
      method: 'POST',
      url: '/with-hook',
      preParsing: async (_request, reply) => void reply.header('own-hook', 'called'),
      handler: answer,
    });
    await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.close());

  /** The status of the response that a client gets before it sends any byte of its body. */
  async function statusBeforeBody(method: string, path: string, type: string) {
    const { port } = server.server.address() as AddressInfo;
    const request = openRequest({
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: { 'Content-Type': type, 'Content-Length': 10 },
    });
    request.on('error', () => undefined).flushHeaders();
    const [{ statusCode }] = await once(request, 'response');
    request.destroy();
    return statusCode;
  }

  it.each(textMediaTypes)(
    'with media type %s are refused unread by endpoints that take JSON',
    async (type) => {
      expect(await statusBeforeBody('POST', '/several', type)).toBe(415);
      expect(await statusBeforeBody('POST', '/with-hook', `${type.toUpperCase()}; charset=x`)).toBe(
        415,
      );
    },
  );

  it.each(['text/csv', ...textMediaTypes])(
    'with media type %s are not read by unknown routes',
    async (type) => {
      for (const method of ['POST', 'PUT', 'PATCH'])
        expect([method, await statusBeforeBody(method, '/nothing', type)]).toEqual([method, 404]);
    },
  );

  it('are text for imports', async () => {
    const headers = { 'content-type': 'text/plain' };
    const url = '/imports';
    const sent = await server.inject({ method: 'POST', url, headers, payload: 'a' });
    expect(sent.body).toBe('text a');
  });

  it.each(['GET', 'DELETE', 'HEAD'] as const)(
    'are not required for %s: a media type without a body is not refused',
    async (method) => {
      const headers = { 'content-type': 'text/plain' };
      const { statusCode } = await server.inject({ method, url: '/several', headers });
      expect(statusCode).toBe(200);
    },
  );

  it('do not disable the hooks of the route', async () => {
    const headers = { 'content-type': 'application/json' };
    const url = '/with-hook';
    const sent = await server.inject({ method: 'POST', url, headers, payload: '1' });
    expect([sent.headers['own-hook'], sent.body]).toEqual(['called', 'JSON 1']);
  });
});
