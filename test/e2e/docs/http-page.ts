import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Reply, type ThroughlineServer } from '../throughline-server.js';

/**
 * A request of a page and the answer it shows:
 *
 *     ```http
 *     POST /v1/contexts as analyst
 *     { "contextId": "checkout" }
 *     ```
 *     ```answer
 *     201
 *     { "version": 1, "events": [{ "eventId": "…" }] }
 *     ```
 *
 * `as` names an agent, whose key is made where it is first named; without it an administrator asks. Headers may stand
 * behind the first line; `{receipt}` there and in the path stands for the newest receipt answered. What the page shows of
 * an answer must be in it, lists in full; `"…"` stands for anything. An answer that is a text begins with its status and
 * media type and is shown byte for byte, in a longer fence where there are fences in it.
 */
export type PageRequest = Readonly<{
  line: number;
  method: string;
  path: string;
  agentId: string | undefined;
  headers: Readonly<Record<string, string>>;
  body: unknown;
  status: number;
  /** Of an answer that is a text, its media type. */
  mediaType: string | undefined;
  shown: unknown;
}>;

const pair = /^```http\n([^]*?)^```\n+^(`{3,})answer\n([^]*?)^\2$/gm;
const fences = /^`{3,}(http|answer)$/gm;
const firstLine = /^([A-Z]+) (\/\S*)(?: as (\S+))?\n((?:[A-Za-z-]+: .*\n)*)/;

export function requestsOf(page: string): readonly PageRequest[] {
  const requests = [...page.matchAll(pair)].map(({ 1: asked = '', 3: answered = '', index }) => {
    const [head = '', method = '', path = '', agentId, fields = ''] = firstLine.exec(asked) ?? [];
    if (head === '') throw new Error(`no request: ${asked}`);
    const [first = '', ...rest] = answered.split('\n');
    const [status, mediaType] = first.split(' ');
    const shown = rest.join('\n');
    return {
      line: page.slice(0, index).split('\n').length,
      ...{ method, path, agentId, headers: headersIn(fields) },
      body: parsed(asked.slice(head.length)),
      ...{ status: Number(status), mediaType, shown: mediaType ? shown : parsed(shown) },
    };
  });
  const stated = page.match(fences)?.length ?? 0;
  if (stated !== 2 * requests.length) throw new Error('a request stands without its answer');
  return requests;
}

/** Does what a page of docs/ does, request by request, and expects what it shows. */
export async function proveHttpPage(name: string, server: ThroughlineServer): Promise<void> {
  const page = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', name), 'utf8');
  const keys = new Map<string, string>();
  let receipt = '';
  const filled = (text: string) => text.replaceAll('{receipt}', receipt);
  for (const request of requestsOf(page)) {
    const { line, method, path, agentId, headers, body, status, mediaType, shown } = request;
    const key = agentId === undefined ? undefined : await keyOf(agentId, keys, server);
    const reply = await server.call(method, filled(path), {
      headers: Object.fromEntries(
        Object.entries(headers).map(([header, value]) => [header, filled(value)]),
      ),
      ...(key === undefined ? {} : { key }),
      ...(body === undefined ? {} : { body }),
    });
    receipt = String(reply.headers['receipt'] ?? receipt);
    const place = `docs/${name}:${line} ${method} ${path}`;
    const told = mediaType === undefined ? reply.body : mediaText(reply);
    expect({ place, status: reply.status, told }).toMatchObject({
      ...{ place, status },
      ...(shown === undefined
        ? {}
        : { told: mediaType ? `${mediaType}\n${String(shown)}` : expected(shown) }),
    });
  }
}

/** Media type and text: a text of another type is not what was shown. */
function mediaText({ headers, text }: Reply): string {
  return `${String(headers['content-type']).split(';')[0]}\n${text}`;
}

async function keyOf(
  agentId: string,
  keys: Map<string, string>,
  server: ThroughlineServer,
): Promise<string> {
  const key = keys.get(agentId) ?? (await server.key({ role: 'agent', agentId }));
  keys.set(agentId, key);
  return key;
}

function headersIn(fields: string): Record<string, string> {
  const lines = fields.split('\n').filter(Boolean);
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
}

function parsed(text: string): unknown {
  return text.trim() === '' ? undefined : JSON.parse(text);
}

function expected(shown: unknown): unknown {
  if (shown === '…') return expect.anything();
  if (Array.isArray(shown)) return shown.map(expected);
  if (typeof shown !== 'object' || shown === null) return shown;
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, expected(value)]));
}
