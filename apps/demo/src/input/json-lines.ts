import { readFile } from 'node:fs/promises';

import { DemoError } from '../demo-error.js';

/** `line` is counted from 1. */
type Line = Readonly<{ line: number; value: unknown }>;

/** A malformed part of the input, with its line and its place in that line. */
export type Fault = Readonly<{ line: number; place?: string; detail: string }>;

export type JsonLines = Readonly<{ lines: readonly Line[]; faults: readonly Fault[] }>;

export async function readJsonLines(path: string): Promise<JsonLines> {
  return parseJsonLines(await readData(path));
}

export function parseJsonLines(content: string): JsonLines {
  const lines: Line[] = [];
  const faults: Fault[] = [];
  for (const [at, text] of content.split('\n').entries()) {
    if (text.trim() === '') continue;
    try {
      lines.push({ line: at + 1, value: JSON.parse(text) });
    } catch {
      faults.push({ line: at + 1, detail: 'is not JSON' });
    }
  }
  return { lines, faults };
}

export function formatFault(path: string, { line, place, detail }: Fault): string {
  return `${path}:${line}: ${place === undefined ? '' : `${place} `}${detail}`;
}

async function readData(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new DemoError(
      `there is no input at ${path}: name the file, or set THROUGHLINE_DATA to the folder of the data`,
      { cause },
    );
  }
}
