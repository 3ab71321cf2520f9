import { once } from 'node:events';

import { DemoError } from '../demo-error.js';
import { type KeptServer, startKeptServer } from '../server/demo-server.js';
import { playStory } from '../story/story.player.js';
import { type Terminal } from '../terminal/terminal.js';
import { openWorkspaceDirectory, type WorkspaceDirectory } from './workspace-directory.js';

export type KeepChoice = Readonly<{ directory: string; port: number }>;

type Edges = Readonly<{
  launcher: string;
  env: Readonly<Record<string, string | undefined>>;
  terminal: Terminal;
  signal: AbortSignal;
}>;

/**
 * Fills a workspace with the story, unless an earlier run has filled it, and runs a server on it until `signal` aborts. A
 * workspace that is not filled completely is removed.
 */
export async function keepWorkspace(choice: KeepChoice, edges: Edges): Promise<void> {
  const directory = await openWorkspaceDirectory(choice.directory);
  let isFilled = directory.isFilled;
  try {
    const { dataDirectory } = directory;
    const server = await startKeptServer(
      { ...edges, dataDirectory, port: choice.port },
      edges.signal,
    );
    try {
      if (!isFilled) await fill(directory, server, edges);
      isFilled = true;
      for (const line of linesOf(directory, server)) edges.terminal.write(line);
      await untilStopped(server, edges.signal);
    } finally {
      edges.terminal.clear();
      await server.stop();
    }
    edges.terminal.write(`server: stopped, the workspace remains in ${directory.path}`);
  } finally {
    if (!isFilled) await directory.remove();
  }
}

async function fill(
  directory: WorkspaceDirectory,
  server: KeptServer,
  { terminal, signal }: Edges,
): Promise<void> {
  terminal.write(
    'filling the workspace: a team of agents builds the login of a shop and releases it',
  );
  await playStory({ server, terminal, signal });
  terminal.clear();
  await directory.complete();
}

function linesOf(
  { path, isFilled }: WorkspaceDirectory,
  { address, signInLink, keyFile }: KeptServer,
): readonly string[] {
  return [
    isFilled
      ? `workspace: ${path}, as the last run left it`
      : `workspace: ${path}, filled with the story`,
    `console, signed in by this link (once, within 15 minutes): ${signInLink}`,
    `later: ${address.origin}/console with the key in ${keyFile}`,
    `Ctrl-C stops the server. The same command opens the workspace again; remove ${path} to begin with a new one.`,
  ];
}

async function untilStopped({ ended }: KeptServer, signal: AbortSignal): Promise<void> {
  const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort');
  await Promise.race([stopped, ended]);
  if (!signal.aborted) throw new DemoError('the server has ended unexpectedly');
}
