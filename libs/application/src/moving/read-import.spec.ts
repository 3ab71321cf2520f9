import { runAtOnce } from '#slices';

import { InvalidInputError } from '../errors.js';
import { mostLineLength, readImport } from './read-import.js';

function refusal(text: string): unknown {
  try {
    return runAtOnce(readImport(text));
  } catch (error) {
    return error;
  }
}

function steps(text: string): number {
  const reading = readImport(text);
  for (let taken = 0; ; taken++)
    try {
      if (reading.next().done) return taken;
    } catch {
      return taken;
    }
}

describe('a file to import', () => {
  it('is read in steps of a line, however many lines are empty', () => {
    const [some, more] = [steps('\n'.repeat(50_000)), steps('\n'.repeat(100_000))];
    expect([some, more]).toEqual([50_001, 100_001]);
  });

  it('has no line that is longer than an event may be', () => {
    const line = (length: number) => `\n{"a":"${'x'.repeat(length - 8)}"}`;
    expect(refusal(line(mostLineLength))).not.toMatchObject({
      issues: [{ detail: expect.stringContaining('longer') }],
    });
    const error = refusal(line(mostLineLength + 1));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({
      issues: [{ pointer: '/1', detail: 'line 2: is longer than 2359296 characters' }],
    });
  });
});
