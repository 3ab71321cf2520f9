import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Imports of each format: lists of named documents, each of which becomes one context. */
export function readImports(data) {
  const lines = (path) =>
    readFileSync(join(data, path), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const adrs = Object.groupBy(lines('decisions/adr.jsonl'), ({ source }) => source);
  return {
    'story-markdown': lines('stories/stories.jsonl').map(({ path, text }) => [
      { name: path, text },
    ]),
    'adr-markdown': Object.values(adrs).map((records) =>
      records.map(({ path, text }) => ({ name: path, text })),
    ),
    'trajectory-jsonl': lines('trajectories/tool-agent-airline.jsonl').map(
      ({ data: { traj }, index }) => [
        {
          name: `airline-${index}.jsonl`,
          text: traj.map((message) => `${JSON.stringify(message)}\n`).join(''),
        },
      ],
    ),
  };
}

/** A log of an agent: one message of about a kilobyte per line. */
export function* logLines(bytes) {
  const content = 'The build failed in step 3: '.repeat(34);
  for (let written = 0, at = 0; written < bytes; at++) {
    const role = at % 2 === 0 ? 'assistant' : 'tool';
    const line = `${JSON.stringify({ role, content: `${at}: ${content}` })}\n`;
    written += line.length;
    yield line;
  }
}
