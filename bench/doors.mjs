// `npm run bench:doors [-- --quick]`: the cost of the interfaces of a server: live streams, the SDK, MCP, LangGraph.
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

import { buildIfStale } from '../apps/cli/bin/build.mjs';
import { measureLangGraph } from './doors/langgraph.mjs';
import { measureMcp } from './doors/mcp.mjs';
import { measureSdk } from './doors/sdk.mjs';
import { measureStreams } from './doors/streams.mjs';
import { describeMachine } from './machine.mjs';
import { keepResults } from './results-file.mjs';

const title = 'Benchmark of the doors';
/** Each measures one interface, and returns the lines of its part. */
const doors = [measureStreams, measureSdk, measureMcp, measureLangGraph];
const root = join(import.meta.dirname, '..');
const quick = process.argv.includes('--quick');
const say = (line) => process.stderr.write(`${line}\n`);

await buildIfStale(root, { report: say }).catch((error) => {
  say(`bench: ${error.message}`);
  process.exit(1);
});
// The build of this run, which later builds do not change.
const build = await realpath(join(root, 'dist'));
const machine = await describeMachine();
const parts = [];
for (const measure of doors) parts.push(await measure({ build, quick, say }));
const lines = [
  `# ${title}`,
  '',
  `Written by \`npm run bench:doors\`, ${machine.date} UTC.`,
  ...parts.flatMap((part) => ['', ...part]),
  '',
  `- Machine: ${machine.processor}, ${machine.memory}, ${machine.system}, Node ${machine.node}; load average ${machine.load} before the run.`,
];
if (quick) say(lines.join('\n'));
else await keepResults(title, lines.join('\n'));
