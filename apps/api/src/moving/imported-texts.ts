import { z } from 'zod';

import { type NamedText, documentFormats } from '#interop';

import { type TextBody, jsonLinesMediaType } from '../http/text-body.js';
import { ProblemError, invalidInput } from '../problems/problem.error.js';
import { eventsFormat } from './exchange-format.schema.js';

type ImportQuery = Readonly<{ format: string; name?: string | undefined }>;

const documentParameters = ['name', 'dryRun', 'register', 'author', 'time', 'firstLine'] as const;

/** The lines of exported events; throws for parameters that only imports of documents have. */
export function readEventsBody(
  { mediaType, text }: TextBody,
  query: Readonly<Partial<Record<(typeof documentParameters)[number], unknown>>>,
): string {
  if (mediaType !== jsonLinesMediaType)
    throw new ProblemError('unsupported-media-type', `send Content-Type: ${jsonLinesMediaType}`);
  const unsupported = documentParameters.find((name) => query[name] !== undefined);
  if (unsupported !== undefined)
    throw invalidInput([
      { pointer: `/${unsupported}`, detail: `is for documents, not for ${eventsFormat}: omit it` },
    ]);
  return text;
}

const namedText = z.strictObject({ name: z.string().min(1).max(4096), text: z.string() });

/** The documents of a body: one document, or one per line of JSON. */
export function readNamedTexts(
  { mediaType, text }: TextBody,
  { format, name }: ImportQuery,
): readonly NamedText[] {
  const own = documentFormats.find((one) => one.name === format)?.mediaType;
  if (mediaType !== jsonLinesMediaType || own === jsonLinesMediaType)
    return [{ name: name ?? format, text }];
  if (name !== undefined)
    throw invalidInput([
      {
        pointer: '/name',
        detail:
          'is not allowed with several documents, because each line of the body has its own name: omit it',
      },
    ]);
  return readLines(text);
}

function readLines(text: string): readonly NamedText[] {
  const documents = text
    .split('\n')
    .map((line, at) => ({ line, at }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, at }) => readLine(line, at));
  if (documents.length === 0) throw invalidInput([{ pointer: '', detail: 'contains no document' }]);
  const names = new Set<string>();
  for (const [at, { name }] of documents.entries()) {
    if (names.has(name))
      throw invalidInput([
        {
          pointer: `/${at}/name`,
          detail: 'is the name of an earlier line too: use different names',
        },
      ]);
    names.add(name);
  }
  return documents;
}

function readLine(line: string, at: number): NamedText {
  const parsed = namedText.safeParse(parse(line));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const member = issue?.path.map((step) => `/${String(step)}`).join('') ?? '';
  throw invalidInput([
    {
      pointer: `/${at}${member}`,
      detail: `line ${at + 1} must be {"name", "text"}: ${issue?.message ?? 'it is something else'}`,
    },
  ]);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
