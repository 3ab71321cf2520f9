import { type StreamMark, writeMark } from './stream-mark.js';

/** A version behind which a stream goes on, and the mark of the id that named it. */
export type ContextCursor = Readonly<{ version: number; mark: string | undefined }>;

/** Ids of streams of contexts: the version, and the mark of the stream if it has one. */
export const contextCursorPattern = /^(\d{1,15})(?:-([0-9a-f]{8}|[0-9a-f]{16}))?$/;

/** Undefined for what is no such id. */
export function parseContextCursor(text: string): ContextCursor | undefined {
  const [, version, mark] = contextCursorPattern.exec(text) ?? [];
  return version === undefined ? undefined : { version: Number(version), mark };
}

export function formatContextCursor(version: number, mark: StreamMark): string {
  const text = writeMark(mark);
  return text === '' ? `${version}` : `${version}-${text}`;
}
