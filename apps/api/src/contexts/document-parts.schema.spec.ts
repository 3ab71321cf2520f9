import { z } from 'zod';

import { ProblemError } from '../problems/problem.error.js';
import { parseInput } from '../http/parse-input.js';
import { partsQuery } from './document-parts.schema.js';

const query = z.strictObject(partsQuery);

describe('the query parameter "parts"', () => {
  it('takes names separated by commas or in repeated parameters, in any order', () => {
    const sorted = ['currentState', 'globalContext', 'title'];
    for (const parts of [
      'title,globalContext,currentState',
      ['title', 'currentState,globalContext'],
      'globalContext,title,currentState,title',
    ])
      expect(parseInput(query, { parts })).toEqual({ parts: sorted });
    expect(parseInput(query, {})).toEqual({});
  });

  it.each(['stepOutput', '', 'title,', 'title,_version ', '__proto__'])(
    'is refused with a pointer to the first name that is not a member: %j',
    (parts) => {
      const refused = () => parseInput(query, { parts });
      expect(refused).toThrow(ProblemError);
      expect(refused).toThrow(
        expect.objectContaining({
          faults: [
            expect.objectContaining({
              pointer: expect.stringMatching(/^\/parts\/\d$/),
              detail: expect.stringContaining('"stepOutputs"'),
            }),
          ],
        }),
      );
    },
  );
});
