import { Pool } from 'undici';

import { asPerson } from '../http-server.mjs';

const json = { 'content-type': 'application/json' };
/** Requests of an agent; a person's key sends the others. */
const ofAgents = new Set(['read', 'write']);

/** Sends the requests of the cases, and returns status and size of each answer. */
export function clientOf({ address, key }) {
  const pool = new Pool(address, { connections: 64 });
  const asAgent = { authorization: `Bearer ${key}` };
  const request = (method, path, { text, ...headers }) =>
    pool.request({
      ...{ method, path, headers, body: text ?? null },
      ...{ headersTimeout: 0, bodyTimeout: 0 },
    });
  const measured = async (answer) => {
    const { statusCode, body } = await answer;
    return { status: statusCode, bytes: (await body.arrayBuffer()).byteLength };
  };
  const as = (access) => (ofAgents.has(access) ? asAgent : asPerson);
  return {
    call: (method, path, body, access = 'write', headers = {}) =>
      measured(
        request(method, path, {
          ...{ ...as(access), ...headers },
          ...(body !== undefined && { ...json, text: JSON.stringify(body) }),
        }),
      ),
    callText: (path, text, type) =>
      measured(request('POST', path, { ...asPerson, 'content-type': type, text })),
    version: async (contextId) => {
      const answer = await request('GET', `/v1/contexts/${contextId}`, asAgent);
      return (await answer.body.json())._version;
    },
    readJson: async (path) => (await request('GET', path, asAgent)).body.json(),
    readText: async (path) => (await request('GET', path, asPerson)).body.text(),
    close: () => pool.close(),
  };
}
