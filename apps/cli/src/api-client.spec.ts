import { ThroughlineError } from '@throughline/sdk';

import { cliErrorOf } from './api-client.js';
import { exitCodes } from './exit-code.js';

describe('the error of a command', () => {
  it('names the address if a successful response is not JSON', () => {
    const url = new URL('http://127.0.0.1:3000');
    const connection = { url, key: undefined, workspace: undefined };
    const page = new ThroughlineError('unexpected-answer', 'not in JSON', { status: 200 });
    expect(cliErrorOf(page, connection)).toMatchObject({
      message: 'no answer from http://127.0.0.1:3000: not in JSON',
      exitCode: exitCodes.unavailable,
    });
  });
});
