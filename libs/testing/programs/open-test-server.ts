import { openTestServer } from '../src/test-database.js';

// A test process that opens a server and never closes it.

const { dataDirectory, pid } = await openTestServer();
process.stdout.write(`${JSON.stringify({ dataDirectory, pid })}\n`);
process.stdin.resume();
