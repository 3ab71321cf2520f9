// A test process that opens a server and never closes it.
import { openTestServer } from '#testing';

const { dataDirectory, pid } = await openTestServer();
process.stdout.write(`${JSON.stringify({ dataDirectory, pid })}\n`);
process.stdin.resume();
