import { z } from 'zod';

import { type ApiClient, type ApiRequest, parseAnswer } from '../api-client.js';

const note = z.looseObject({
  document: z.string(),
  line: z.number(),
  pointer: z.string(),
  kind: z.string(),
  detail: z.string(),
});

const importAnswer = z.looseObject({
  contexts: z.tuple([
    z.looseObject({
      contextId: z.string(),
      version: z.number(),
      imported: z.number(),
      skipped: z.number(),
      created: z.boolean(),
      events: z.record(z.string(), z.number()),
    }),
  ]),
  notes: z.array(note).default([]),
  registered: z.array(z.string()).default([]),
});

export type ImportNote = z.output<typeof note>;

/** The result of one import request, or of its dry run. */
export type ImportAnswer = z.output<typeof importAnswer>;

type ImportQuery = Readonly<{
  format: string;
  as?: string | undefined;
  dryRun: boolean;
  register?: boolean | undefined;
  author?: string | undefined;
  time?: string | undefined;
}>;

/** An import request. `bytes`: size of its files. */
export type ImportBody = Readonly<{
  body: string;
  name?: string | undefined;
  firstLine?: number | undefined;
  bytes: number;
}>;

export async function sendImport(
  api: ApiClient,
  { body, name, firstLine }: Omit<ImportBody, 'bytes'>,
  query: ImportQuery,
): Promise<ImportAnswer> {
  const request: ApiRequest = {
    method: 'POST',
    path: 'imports',
    query: { ...query, name, firstLine },
    body,
    contentType: 'application/x-ndjson',
  };
  return parseAnswer(importAnswer, await api.send(request));
}

/** Returns the body of a request with the documents of one context. */
export function bodyOfDocuments(
  documents: readonly Readonly<{ name: string; text: string }>[],
): string {
  return documents.map(({ name, text }) => `${JSON.stringify({ name, text })}\n`).join('');
}
