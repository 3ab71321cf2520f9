import { ThroughlineError } from '@throughline/sdk';

import { cliErrorOf } from './api-client.js';
import { exitCodes } from './exit-code.js';

describe('what a command ends with', () => {
  it('names the address if that answers with success, but not in JSON', () => {
    const url = new URL('http://127.0.0.1:3000');
    const connection = { url, key: undefined, workspace: undefined };
    const page = new ThroughlineError('unexpected-answer', 'not in JSON', { status: 200 });
    expect(cliErrorOf(page, connection)).toMatchObject({
      message: 'no answer from http://127.0.0.1:3000: not in JSON',
      exitCode: exitCodes.unavailable,
    });
  });
});
