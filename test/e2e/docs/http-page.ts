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
 * `as` names an agent, whose key is made where it is first named; without it an administrator asks. `as amelia for
 * developer` makes a key that is bound to that audience. Headers may stand behind the first line; there and in the path
 * `{receipt}` stands for the newest receipt answered, and `{etag}` for the newest `ETag` answered to the same reader. What
 * the page shows of an answer must be in it, lists in full; `"…"` stands for anything. Headers may stand behind the status
 * of an answer that is JSON, where `…` stands for any characters. An answer that is a text begins with its status and media
 * type and is shown byte for byte, in a longer fence where there are fences in it; `<id>` stands for an id that the server
 * made.
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
  /** What is shown of the answer's headers. */
  shownHeaders: Readonly<Record<string, string>>;
  /** Of an answer that is a text, its media type. */
  mediaType: string | undefined;
  shown: unknown;
}>;

const pair = /^```http\n([^]*?)^```\n+^(`{3,})answer\n([^]*?)^\2$/gm;
const fences = /^`{3,}(http|answer)$/gm;
const firstLine = /^([A-Z]+) (\/\S*)(?: as (\S+)(?: for (\S+))?)?\n((?:[A-Za-z-]+: .*\n)*)/;
const serverId = /\b[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const firstHeaders = /^(?:[A-Za-z-]+: .*\n)*/;

export function requestsOf(page: string): readonly PageRequest[] {
  const requests = [...page.matchAll(pair)].map(({ 1: asked = '', 3: answered = '', index }) => {
    const [head = '', method = '', path = '', agentId, audience, fields = ''] =
      firstLine.exec(asked) ?? [];
    if (head === '') throw new Error(`no request: ${asked}`);
    return {
      line: page.slice(0, index).split('\n').length,
      method,
      path,
      agentId,
      audience,
      headers: headersIn(fields),
      body: parsed(asked.slice(head.length)),
      ...answerIn(answered),
    };
  });
  const stated = page.match(fences)?.length ?? 0;
  if (stated !== 2 * requests.length) throw new Error('a request stands without its answer');
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
    const filled = (text: string) =>
      text.replaceAll('{receipt}', receipt).replaceAll('{etag}', reader.etag);
    const reply = await server.call(method, filled(path), {
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([header, value]) => [header, filled(value)]),
      ),
      ...(reader.key === undefined ? {} : { key: reader.key }),
      ...(body === undefined ? {} : { body }),
    });
    receipt = String(reply.headers['receipt'] ?? receipt);
    reader.etag = String(reply.headers['etag'] ?? reader.etag);
    const place = `docs/${name}:${line} ${method} ${path}`;
    const told = mediaType === undefined ? reply.body : mediaText(reply, String(shown));
    expect({ place, status: reply.status, headers: reply.headers, told }).toMatchObject({
      place,
      status,
      headers: expectedHeaders(request.shownHeaders),
      ...(shown === undefined
        ? {}
        : { told: mediaType ? `${mediaType}\n${String(shown)}` : expected(shown) }),
    });
  }
}

/** Media type and text: a text of another type is not what was shown. */
function mediaText({ headers, text }: Reply, shown: string): string {
  const seen = shown.includes('<id>') ? text.replaceAll(serverId, '<id>') : text;
  return `${String(headers['content-type']).split(';')[0]}\n${seen}`;
}

/** Who asks: the administrator, or an agent with a key of its own. */
type Reader = { readonly key: string | undefined; etag: string };

async function readerOf(
  { agentId, audience }: PageRequest,
  readers: Map<string, Reader>,
  server: ThroughlineServer,
): Promise<Reader> {
  const name = JSON.stringify([agentId, audience]);
  const known = readers.get(name);
  if (known) return known;
  const audiences = audience === undefined ? {} : { audiences: [audience] };
  const key = agentId && (await server.key({ role: 'agent', agentId, ...audiences }));
  const reader = { key, etag: '' };
  readers.set(name, reader);
  return reader;
}

function answerIn(
  answered: string,
): Pick<PageRequest, 'status' | 'mediaType' | 'shownHeaders' | 'shown'> {
  const [first = '', ...lines] = answered.split('\n');
  const [status, mediaType] = first.split(' ');
  const rest = lines.join('\n');
  if (mediaType) return { status: Number(status), mediaType, shownHeaders: {}, shown: rest };
  const [fields = ''] = firstHeaders.exec(rest) ?? [];
  return {
    status: Number(status),
    mediaType,
    shownHeaders: headersIn(fields),
    shown: parsed(rest.slice(fields.length)),
  };
}

/** `…` in a header stands for any characters. */
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

function parsed(text: string): unknown {
  return text.trim() === '' ? undefined : JSON.parse(text);
}

function expected(shown: unknown): unknown {
  if (shown === '…') return expect.anything();
  if (Array.isArray(shown)) return shown.map(expected);
  if (typeof shown !== 'object' || shown === null) return shown;
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, expected(value)]));
}
