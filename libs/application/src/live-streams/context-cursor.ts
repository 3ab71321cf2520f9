import { type StreamMark, writeMark } from './stream-mark.js';

/** The version after which a stream continues, and the mark in the id. */
export type ContextCursor = Readonly<{ version: number; mark: string | undefined }>;

/** Event ids in streams of contexts: the version, and the mark of the stream if it has one. */
export const contextCursorPattern = /^(\d{1,15})(?:-([0-9a-f]{8}|[0-9a-f]{16}))?$/;

/** Undefined if the text is not such an id. */
export function parseContextCursor(text: string): ContextCursor | undefined {
  const [, version, mark] = contextCursorPattern.exec(text) ?? [];
  return version === undefined ? undefined : { version: Number(version), mark };
}

export function formatContextCursor(version: number, mark: StreamMark): string {
  const text = writeMark(mark);
  return text === '' ? `${version}` : `${version}-${text}`;
}
