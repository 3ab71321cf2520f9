import { readWorkflow } from '#workflow';

import { InvalidInputError } from '../errors.js';
import { refuseErrors } from './refuse-errors.js';

describe('a definition with errors', () => {
  it('is refused with all of them and their positions in the text', () => {
    const text =
      '{ "id": "w",\n "steps": [{ "id": "a", "type": "agent", "agnt": "x", "next": 1 }] }';
    let issues: unknown;
    try {
      refuseErrors(readWorkflow(text));
    } catch (error) {
      if (error instanceof InvalidInputError) ({ issues } = error);
    }
    expect(issues).toEqual([
      { pointer: '/steps/0', detail: 'line 2, column 12: agent is required' },
      {
        pointer: '/steps/0/agnt',
        suggestion: 'agent',
        detail: 'line 2, column 42: agnt is not known here; did you mean agent?',
      },
      {
        pointer: '/steps/0/next',
        detail: expect.stringContaining('line 2, column 63: next must be'),
      },
    ]);
  });
});
