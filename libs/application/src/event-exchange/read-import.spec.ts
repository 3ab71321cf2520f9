import { v7 } from 'uuid';

import { AppendTooLargeError, encodedSize, maxAppendBytes, sealEvent } from '#event-sourcing';
import { EventsJsonlWriter } from '#interop';
import { sha256 } from '#read-models';
import { runAtOnce } from '#slices';

import { InvalidInputError } from '../errors.js';
import { maxLineLength, readImport } from './read-import.js';

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
  it('is read in steps of one line, even if lines are empty', () => {
    const [some, more] = [steps('\n'.repeat(50_000)), steps('\n'.repeat(100_000))];
    expect([some, more]).toEqual([50_001, 100_001]);
  });

  it('must not have a line that is longer than the longest event', () => {
    const line = (length: number) => `\n{"a":"${'x'.repeat(length - 8)}"}`;
    expect(refusal(line(maxLineLength))).not.toMatchObject({
      issues: [{ detail: expect.stringContaining('longer') }],
    });
    const error = refusal(line(maxLineLength + 1));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({
      issues: [{ pointer: '/1', detail: 'line 2: is longer than 2359296 characters' }],
    });
  });

  it('must not have an event that exceeds the limit of the store, and does not decode it', () => {
    const place = { workspace: 'default', context: 'c', version: 1 };
    const facts = {
      schemaVersion: 1,
      recordedAt: '2026-01-01T00:00:00.000Z',
      principal: 'ada',
      origin: null,
      correlationId: null,
      causationId: null,
      basedOn: null,
      idempotency: null,
      encrypted: null,
      visibility: 'record',
      trust: 'human',
    } as const;
    const fileOf = (bytes: number) => {
      const sealedWith = (length: number) => {
        const data = JSON.stringify({ none: 'x'.repeat(length) });
        const event = { eventId: v7(), type: 'ContextCreated', data };
        const { metadata, hash } = sealEvent({ ...event, facts }, place, null, sha256);
        return { ...event, workspace: 'default', contextId: 'c', version: 1, metadata, hash };
      };
      const { hash, ...event } = sealedWith(bytes - encodedSize(sealedWith(0)));
      expect(encodedSize(event)).toBe(bytes);
      const writer = new EventsJsonlWriter();
      return writer.header() + writer.event(event, hash) + writer.trailer();
    };
    expect(refusal(fileOf(maxAppendBytes))).toMatchObject({
      issues: [{ detail: expect.stringContaining('cannot be read by this server') }],
    });
    expect(refusal(fileOf(maxAppendBytes + 1))).toBeInstanceOf(AppendTooLargeError);
  });
});
