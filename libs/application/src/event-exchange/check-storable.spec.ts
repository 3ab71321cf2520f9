import { InMemoryEventStore } from '#event-sourcing';
import { runAtOnce } from '#slices';
import { type FileEvent, writeExport } from '#testing';

import { InvalidInputError } from '../errors.js';
import { checkStorable } from './check-storable.js';
import { planImport } from './import-plan.js';
import { readImport } from './read-import.js';

const now = Date.parse('2026-01-01T00:00:00.000Z');
const after = (ms: number) => new Date(now + ms).toISOString();

async function check(event: FileEvent): Promise<unknown> {
  const store = new InMemoryEventStore();
  const [group] = runAtOnce(readImport(writeExport({ c: [event] })));
  if (!group) throw new Error('the file is empty');
  const id = { workspace: 'default', contextId: 'c' };
  const plan = await planImport(store, { id, importer: undefined }, group);
  return checkStorable(store, [plan], now);
}

describe('the times of imported events', () => {
  it('are at most a minute ahead of the clock', async () => {
    await check({ recordedAt: after(60_000) });
    const refusal = check({ recordedAt: after(60_001) });
    await expect(refusal).rejects.toBeInstanceOf(InvalidInputError);
    await expect(refusal).rejects.toMatchObject({
      issues: [
        { pointer: '/1/metadata/recordedAt', detail: expect.stringContaining('line 2: is more') },
      ],
    });
  });

  it('include the times that authors state', async () => {
    const of = (timestamp: string) => check({ origin: { agentId: 'ada', timestamp } });
    await of(after(60_000));
    await of('long ago');
    await expect(of(after(60_001))).rejects.toMatchObject({
      issues: [{ pointer: '/1/metadata/origin/timestamp' }],
    });
  });
});
