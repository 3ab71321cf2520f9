import { type AddSummary } from '#shared-context';

import { ConcurrencyExhaustedError } from '../errors.js';
import { type PreparedWrite } from '../writing/prepared-write.js';
import { addSummary } from './summary-write.js';

const id = { workspace: 'w', contextId: 'c' };
const command: AddSummary = {
  type: 'AddSummary',
  data: {
    summaryId: 'S-1',
    text: 'x',
    covers: { from: 1, to: 2 },
    sources: ['record:r'],
    model: 'm',
    promptHash: 'a'.repeat(64),
    tokens: { input: 1, output: 1 },
  },
};

describe('the write of a summary', () => {
  it('is repeated unchanged after lost races, under the name of the summarizer', async () => {
    const writes: PreparedWrite[] = [];
    const submit = (write: PreparedWrite) => {
      writes.push(write);
      return writes.length < 2
        ? Promise.reject(new ConcurrencyExhaustedError('others were first'))
        : Promise.resolve({ kind: 'nothing', version: 7 } as const);
    };
    await expect(addSummary({ submit }, id, command)).resolves.toEqual({
      kind: 'nothing',
      version: 7,
    });
    expect(writes).toHaveLength(2);
    expect(new Set(writes).size).toBe(1);
    expect(writes[0]?.principal).toMatchObject({ name: 'key:summarizer', workspace: 'w' });
  });

  it('is given up if the repetition loses its races as well', async () => {
    let times = 0;
    const submit = () => Promise.reject(new ConcurrencyExhaustedError(`lost ${++times} times`));
    await expect(addSummary({ submit }, id, command)).rejects.toThrow('lost 2 times');
  });

  it('is given up on any other error', async () => {
    const submit = () => Promise.reject(new RangeError('no'));
    await expect(addSummary({ submit }, id, command)).rejects.toThrow('no');
  });
});
