import { z } from 'zod';

import { ProblemError } from '../problems/problem.error.js';
import { parseInput } from '../http/parse-input.js';
import { partsQuery } from './document-parts.schema.js';

const query = z.strictObject(partsQuery);

describe('the parts of a document that a query names', () => {
  it('are separated by commas or given several times, and are the same in any order', () => {
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
    'are refused by place if one of them is no member: %j',
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
