import { type CallToolResult } from '@modelcontextprotocol/server';

/** What every answer ends with: where the context is, what was shown, and what to do now. */
export type Closing = Readonly<{
  version?: number | undefined;
  receipt?: string | undefined;
  next: string;
}>;

/** `version · receipt · next`, on a line of its own. */
function closingLine({ version, receipt, next }: Closing): string {
  return `version ${version ?? '-'} · receipt ${receipt ?? '-'} · next: ${next}`;
}

/** An answer to a read: all of it is in the text. */
export function reading(text: string, closing: Closing): CallToolResult {
  return { content: [{ type: 'text', text: withClosing(text, closing) }] };
}

export function withClosing(text: string, closing: Closing): string {
  return `${text.trimEnd()}\n\n${closingLine(closing)}`;
}

/** A call that was refused, and how to go on. */
export function refusal(text: string, closing: Closing): CallToolResult {
  return { ...reading(text, closing), isError: true };
}

const maxWriteBytes = 200;

/** What a write has led to; `facts` gives way if there is no room for it, one member after the other from the end. */
export type Written = Readonly<{
  version: number;
  facts?: Readonly<Record<string, unknown>>;
  next: string;
}>;

/** At most 200 bytes, the same as text and as JSON. A write shows nothing, so that it has no receipt. */
export function writing({ version, facts = {}, next }: Written): CallToolResult {
  const members = Object.entries(facts).filter(([, value]) => value !== undefined);
  for (;;) {
    const structuredContent = { ...Object.fromEntries(members), version, receipt: null, next };
    const text = JSON.stringify(structuredContent);
    if (Buffer.byteLength(text) <= maxWriteBytes || members.length === 0)
      return { content: [{ type: 'text', text }], structuredContent };
    members.pop();
  }
}
