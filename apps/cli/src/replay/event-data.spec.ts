import { dataLine } from './event-data.js';

describe('the data of an event on a line', () => {
  it('begins with the specific members of an event of a run', () => {
    const data = { runId: 'r', at: 't', stepId: 'plan', outcome: 'completed' };
    expect(dataLine(data)).toBe('{"stepId":"plan","outcome":"completed","runId":"r","at":"t"}');
  });

  it('has the stored order for other events', () => {
    for (const data of [{ at: 1, a: 2 }, { runId: 5 }, [1], 'text', null])
      expect(dataLine(data)).toBe(JSON.stringify(data));
    expect(dataLine(undefined)).toBe('');
  });
});
