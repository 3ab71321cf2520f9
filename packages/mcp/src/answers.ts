import { type CallToolResult } from '@modelcontextprotocol/server';

/** The end of every answer: the version of the context, the receipt of the read, and the next step. */
export type Closing = Readonly<{
  version?: number | undefined;
  receipt?: string | undefined;
  next: string;
}>;

/** Renders `version · receipt · next` on one line. */
function closingLine({ version, receipt, next }: Closing): string {
  return `version ${version ?? '-'} · receipt ${receipt ?? '-'} · next: ${next}`;
}

/** Returns the answer to a read, as text only. */
export function reading(text: string, closing: Closing): CallToolResult {
  return { content: [{ type: 'text', text: withClosing(text, closing) }] };
}

export function withClosing(text: string, closing: Closing): string {
  return `${text.trimEnd()}\n\n${closingLine(closing)}`;
}

/** Returns the answer to a refused call. */
export function refusal(text: string, closing: Closing): CallToolResult {
  return { ...reading(text, closing), isError: true };
}

const maxWriteBytes = 200;

/** The result of a write. If the answer is too long, members of `facts` are omitted from the end. */
type WriteResult = Readonly<{
  version: number;
  facts?: Readonly<Record<string, unknown>>;
  next: string;
}>;

/** Returns the answer to a write: at most 200 bytes, the same as text and as JSON. A write returns no context, so it has no receipt. */
export function writing({ version, facts = {}, next }: WriteResult): CallToolResult {
  const members = Object.entries(facts).filter(([, value]) => value !== undefined);
  for (;;) {
    const structuredContent = { ...Object.fromEntries(members), version, receipt: null, next };
    const text = JSON.stringify(structuredContent);
    if (Buffer.byteLength(text) <= maxWriteBytes || members.length === 0)
      return { content: [{ type: 'text', text }], structuredContent };
    members.pop();
  }
}
