import { InvalidInputError } from '../errors.js';
import { decodeCursor, encodeCursor } from '../paging/cursor.js';
import { type StreamMark, writeMark } from './stream-mark.js';

/** A position behind which a stream goes on, and the mark of the id that named it. */
type WorkspaceCursor = Readonly<{ position: string; mark: string }>;

/** Undefined for what is no id of a stream of a workspace. */
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
