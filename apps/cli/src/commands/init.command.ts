import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { z } from 'zod';

import { CliError, UsageError } from '../cli-error.js';
import { defineCommand } from '../command.js';

export const init = defineCommand({
  name: 'init',
  summary: 'Write the Throughline block to AGENTS.md, and print configurations of MCP clients',
  options: [['--file <path>', 'the file that agents read (default AGENTS.md)']],
  examples: ['throughline init', 'throughline init --file CLAUDE.md'],
  input: z.object({ file: z.string().min(1).default('AGENTS.md') }),
  run: async ({ connect, terminal, json }, { file }) => {
    const { clientConfiguration, remoteConfiguration, withAgentsBlock } =
      await import('@throughline/mcp');
    const text = await readText(file);
    const written = withAgentsBlock(text);
    if (written === undefined)
      throw new UsageError(
        `${file} must contain exactly one line <!-- throughline:begin --> and, below it, exactly one line <!-- throughline:end -->`,
        'remove these lines or add the missing one, then run the command again',
      );
    if (written !== text) await writeFile(file, written);
    const url = addressOf(connect().url);
    const local = formatJson(clientConfiguration(url, thisProgram()));
    if (json) return terminal.write(local);
    terminal.write(
      written === text ? `${file} already has the block` : `wrote the block to ${file}`,
    );
    terminal.write(`\n.mcp.json (Claude Code) or .cursor/mcp.json (Cursor):\n\n${local}`);
    terminal.write(`\nor, without a local program:\n\n${formatJson(remoteConfiguration(url))}`);
  },
});

/** The command line of this process with absolute paths, because clients start it in any directory. */
function thisProgram() {
  return { command: process.execPath, args: [resolve(process.argv[1] ?? 'throughline'), 'mcp'] };
}

function formatJson(value: object): string {
  return JSON.stringify(value, null, 2);
}

function addressOf({ href }: URL): string {
  return href.endsWith('/') ? href.slice(0, -1) : href;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return '';
    throw new CliError(
      `${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    );
  }
}
