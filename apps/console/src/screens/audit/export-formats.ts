/** A format of `GET /v1/contexts/{id}/export`. */
type ExportFormat = Readonly<{ name: string; label: string; extension: string }>;

/** The format with every event, for keys that see everything. Other formats are documents. */
export const eventsFormat = 'events-jsonl';

export const exportFormats: readonly ExportFormat[] = [
  { name: eventsFormat, label: 'all events, with hashes and signatures', extension: 'jsonl' },
  { name: 'report-markdown', label: 'report', extension: 'md' },
  { name: 'sdd-context', label: 'context.json', extension: 'json' },
  { name: 'bmad-session', label: 'session file', extension: 'json' },
  { name: 'story-markdown', label: 'story file', extension: 'md' },
  { name: 'adr-markdown', label: 'decision records', extension: 'md' },
];

/** The parameters of an export; empty if they are not set. */
export type ExportChoice = Readonly<{
  format: string;
  audience: string;
  asOf: string;
  document: string;
}>;

/** The chosen export of an address. A key that does not see everything cannot export events. */
export function choiceIn(parameters: URLSearchParams, seesEverything: boolean): ExportChoice {
  const fallback = seesEverything ? eventsFormat : 'report-markdown';
  const format = parameters.get('format') ?? fallback;
  if (format === eventsFormat) return { format, audience: '', asOf: '', document: '' };
  const valueOf = (name: string) => parameters.get(name) ?? '';
  return {
    format,
    audience: valueOf('audience'),
    asOf: valueOf('asOf'),
    document: valueOf('document'),
  };
}

/** The name of the downloaded file: that of the answer, otherwise one for the context and the format. */
export function fileNameOf(headers: Headers, contextId: string, { format }: ExportChoice): string {
  const [, stated] = /filename="([\w.-]+)"/.exec(headers.get('content-disposition') ?? '') ?? [];
  if (stated !== undefined) return stated;
  return `${contextId}.${format}.${isLines(headers) ? 'jsonl' : extensionOf(format)}`;
}

/** Several documents of any format are lines of JSON. */
function isLines(headers: Headers): boolean {
  return headers.get('content-type')?.includes('ndjson') ?? false;
}

function extensionOf(format: string): string {
  return exportFormats.find(({ name }) => name === format)?.extension ?? 'txt';
}

/** How an export of events ends, from its last bytes: `complete`, `truncated`, or the reason why the chain is broken. */
export type Ending = 'complete' | 'truncated' | Readonly<{ version: number; reason: string }>;

/** `tail`: the end of the file, at least its whole last line. */
export function endingOf(tail: string): Ending {
  const [last = ''] = tail.trimEnd().split('\n').slice(-1);
  const { end, failed } = membersOf(last);
  if (typeof end === 'object' && end !== null) return 'complete';
  if (typeof failed !== 'object' || failed === null) return 'truncated';
  const { version, reason }: Readonly<{ version?: unknown; reason?: unknown }> = failed;
  return { version: Number(version), reason: String(reason) };
}

function membersOf(line: string): Readonly<{ end?: unknown; failed?: unknown }> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** A size in words: `12 bytes`, `3.4 MiB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib.toFixed(1)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}
