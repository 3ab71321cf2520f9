import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const generator = join(import.meta.dirname, '../../packages/sdk/generate-types.mjs');

describe('the types of the SDK', () => {
  it('are those of the OpenAPI document: npm run sdk:types', async () => {
    await promisify(execFile)(process.execPath, [generator, '--check']);
  }, 60_000);
});
