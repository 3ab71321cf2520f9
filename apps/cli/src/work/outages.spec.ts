import { Outages } from './outages.js';

describe('outages', () => {
  it('are logged once at their begin and once at their end', () => {
    const lines: string[] = [];
    const outages = new Outages((line) => lines.push(line));
    outages.answered(204);
    for (let times = 0; times < 2; times++) {
      outages.answered(503);
      outages.begin(new Error('no answer'));
    }
    outages.answered(200);
    outages.answered(200);
    expect(lines).toEqual([
      'the server does not answer; retrying until it does',
      'the server answers again',
    ]);
  });

  it.each([[[]], [[503]], [[429]]])(
    'end the worker if there was no answer before: %j',
    (statuses) => {
      const outages = new Outages(() => undefined);
      for (const status of statuses) outages.answered(status);
      expect(() => outages.begin(new Error('no answer'))).toThrow('no answer');
    },
  );
});
