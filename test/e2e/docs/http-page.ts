import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Reply, type ThroughlineServer } from '../throughline-server.js';

/**
 * A request in a page, with its expected answer:
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
 * `as` names an agent, whose key is created at its first request; without `as`, an administrator sends the request.
 * `as amelia for developer` creates a key that is bound to that audience. Headers may follow the first line. In them and in
 * the path, `{receipt}` is replaced with the newest receipt, and `{etag}` with the newest `ETag` for the same reader. The
 * answer must contain the JSON of the page, with lists in full; `"…"` matches any value. Headers may follow the status of a
 * JSON answer; in them `…` matches any characters. A text answer begins with its status and media type and is compared byte
 * for byte; its fence is longer if the text contains fences; `<id>` matches an id that the server generated.
 */
export type PageRequest = Readonly<{
  line: number;
  method: string;
  path: string;
  agentId: string | undefined;
  /** The audience that the key of the agent is bound to. */
  audience: string | undefined;
  headers: Readonly<Record<string, string>>;
  body: unknown;
  status: number;
  /** The expected headers of the answer. */
  shownHeaders: Readonly<Record<string, string>>;
  /** The media type of a text answer. */
  mediaType: string | undefined;
  shown: unknown;
}>;

const pair = /^```http\n([^]*?)^```\n+^(`{3,})answer\n([^]*?)^\2$/gm;
const fences = /^`{3,}(http|answer)$/gm;
const firstLine = /^([A-Z]+) (\/\S*)(?: as (\S+)(?: for (\S+))?)?\n((?:[A-Za-z-]+: .*\n)*)/;
const serverId = /\b[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const firstHeaders = /^(?:[A-Za-z-]+: .*\n)*/;

export function requestsOf(page: string): readonly PageRequest[] {
  const requests = [...page.matchAll(pair)].map(
    ({ 1: requestText = '', 3: answerText = '', index }) => {
      const [head = '', method = '', path = '', agentId, audience, fields = ''] =
        firstLine.exec(requestText) ?? [];
      if (head === '') throw new Error(`not a request: ${requestText}`);
      return {
        line: page.slice(0, index).split('\n').length,
        method,
        path,
        agentId,
        audience,
        headers: headersIn(fields),
        body: parseJson(requestText.slice(head.length)),
        ...answerIn(answerText),
      };
    },
  );
  const fenceCount = page.match(fences)?.length ?? 0;
  if (fenceCount !== 2 * requests.length) throw new Error('a request has no answer');
  return requests;
}

/** Does what a page of docs/ does, request by request, and expects what it shows. */
export async function proveHttpPage(name: string, server: ThroughlineServer): Promise<void> {
  const page = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', name), 'utf8');
  const readers = new Map<string, Reader>();
  let receipt = '';
  for (const request of requestsOf(page)) {
    const { line, method, path, body, status, mediaType, shown } = request;
    const reader = await readerOf(request, readers, server);
    const fillIn = (text: string) =>
      text.replaceAll('{receipt}', receipt).replaceAll('{etag}', reader.etag);
    const reply = await server.call(method, fillIn(path), {
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([header, value]) => [header, fillIn(value)]),
      ),
      ...(reader.key === undefined ? {} : { key: reader.key }),
      ...(body === undefined ? {} : { body }),
    });
    receipt = String(reply.headers['receipt'] ?? receipt);
    reader.etag = String(reply.headers['etag'] ?? reader.etag);
    const location = `docs/${name}:${line} ${method} ${path}`;
    const content = mediaType === undefined ? reply.body : mediaText(reply, String(shown));
    expect({
      place: location,
      status: reply.status,
      headers: reply.headers,
      told: content,
    }).toMatchObject({
      place: location,
      status,
      headers: expectedHeaders(request.shownHeaders),
      ...(shown === undefined
        ? {}
        : { told: mediaType ? `${mediaType}\n${String(shown)}` : expectedBody(shown) }),
    });
  }
}

/** Returns media type and text, since a text of another media type is a different answer. */
function mediaText({ headers, text }: Reply, shown: string): string {
  const normalized = shown.includes('<id>') ? text.replaceAll(serverId, '<id>') : text;
  return `${String(headers['content-type']).split(';')[0]}\n${normalized}`;
}

/** Sender of requests: the administrator, or an agent with its own key. */
type Reader = { readonly key: string | undefined; etag: string };

async function readerOf(
  { agentId, audience }: PageRequest,
  readers: Map<string, Reader>,
  server: ThroughlineServer,
): Promise<Reader> {
  const name = JSON.stringify([agentId, audience]);
  const existing = readers.get(name);
  if (existing) return existing;
  const audiences = audience === undefined ? {} : { audiences: [audience] };
  const key = agentId && (await server.key({ role: 'agent', agentId, ...audiences }));
  const reader = { key, etag: '' };
  readers.set(name, reader);
  return reader;
}

function answerIn(
  answerText: string,
): Pick<PageRequest, 'status' | 'mediaType' | 'shownHeaders' | 'shown'> {
  const [first = '', ...lines] = answerText.split('\n');
  const [status, mediaType] = first.split(' ');
  const remainder = lines.join('\n');
  if (mediaType) return { status: Number(status), mediaType, shownHeaders: {}, shown: remainder };
  const [fields = ''] = firstHeaders.exec(remainder) ?? [];
  return {
    status: Number(status),
    mediaType,
    shownHeaders: headersIn(fields),
    shown: parseJson(remainder.slice(fields.length)),
  };
}

/** In an expected header, `…` matches any characters. */
function expectedHeaders(shown: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(shown).map(([header, value]) => {
      const parts = value.split('…').map(literal);
      return [
        header.toLowerCase(),
        expect.stringMatching(new RegExp(`^${parts.join('.*')}$`, 'u')),
      ];
    }),
  );
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
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

function parseJson(text: string): unknown {
  return text.trim() === '' ? undefined : JSON.parse(text);
}

function expectedBody(shown: unknown): unknown {
  if (shown === '…') return expect.anything();
  if (Array.isArray(shown)) return shown.map(expectedBody);
  if (typeof shown !== 'object' || shown === null) return shown;
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, expectedBody(value)]),
  );
}
