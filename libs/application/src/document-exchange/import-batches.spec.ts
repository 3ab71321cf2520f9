import { type ImportCommand, batchesOf } from './import-batches.js';

const place = { document: 'd', line: 1, pointer: '' };
const claim = { agentId: null, timestamp: '2026-01-01T00:00:00Z' };

function commandsOf(count: number): readonly ImportCommand[] {
  const creation = { type: 'CreateContext', data: {} } as const;
  const rest = Array.from({ length: count }, (_, n) => ({
    type: 'AddStepOutput',
    data: { stepId: `s-${n}`, output: n },
  })) as readonly ImportCommand['command'][];
  return [creation, ...rest].map((command, index) => ({ index, command, claim, place }));
}

describe('batchesOf', () => {
  it('divides the commands in the same way after the context was created', () => {
    const [first = [], ...others] = batchesOf(commandsOf(900), { exists: false });
    const [next, ...later] = batchesOf(commandsOf(900), { exists: true });
    expect(others).toHaveLength(2);
    expect(later).toEqual(others);
    expect(next).toEqual(first.slice(1));
  });

  it('returns each command once, in order', () => {
    const indexes = batchesOf(commandsOf(900), { exists: false }).flat();
    expect(indexes.map(({ index }) => index)).toEqual(Array.from({ length: 901 }, (_, n) => n));
  });

  it('returns batches below a mebibyte for texts in any script', () => {
    const command = {
      type: 'AddStepOutput',
      data: { stepId: 's', output: '漢'.repeat(10_000) },
    } as const;
    const commands = Array.from({ length: 50 }, (_, index) => ({ index, command, claim, place }));
    for (const batch of batchesOf(commands, { exists: false }))
      expect(Buffer.byteLength(JSON.stringify(batch))).toBeLessThan(800_000);
  });
});
