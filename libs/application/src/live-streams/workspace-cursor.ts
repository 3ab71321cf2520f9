import { InvalidInputError } from '../errors.js';
import { decodeCursor, encodeCursor } from '../paging/cursor.js';
import { type StreamMark, writeMark } from './stream-mark.js';

/** The position after which a stream continues, and the mark in the id. */
type WorkspaceCursor = Readonly<{ position: string; mark: string }>;

/** Undefined if the text is not an event id in a stream of a workspace. */
export function parseWorkspaceCursor(id: string): WorkspaceCursor | undefined {
  try {
    const [position = '', mark = ''] = decodeCursor(id, 2);
    return { position, mark };
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

export function formatWorkspaceCursor(position: string, mark: StreamMark): string {
  return encodeCursor([position, writeMark(mark)]);
}
