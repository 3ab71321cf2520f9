import { type StreamMark, writeMark } from './stream-mark.js';

/** A version behind which a stream goes on, and the mark of the id that named it. */
export type ContextPlace = Readonly<{ version: number; mark: string | undefined }>;

/** Ids of streams of contexts: the version, and the mark of the stream. A version by itself is a place, too. */
export const contextPlace = /^(\d{1,15})(?:-([0-9a-f]{8}|[0-9a-f]{16}))?$/;

/** Undefined for what is no such id. */
export function readContextPlace(text: string): ContextPlace | undefined {
  const [, version, mark] = contextPlace.exec(text) ?? [];
  return version === undefined ? undefined : { version: Number(version), mark };
}

export function writeContextPlace(version: number, mark: StreamMark): string {
  return `${version}-${writeMark(mark)}`;
}
