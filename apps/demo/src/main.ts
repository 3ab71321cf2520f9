import { CommanderError } from 'commander';

import { playAgentTrail } from './agent-trail/agent-trail.demo.js';
import { type DemoChoice, readArguments } from './arguments.js';
import { DemoError } from './demo-error.js';
import { playFeature } from './feature/feature.demo.js';
import { writeHistory } from './history/write-history.js';
import { keepWorkspace } from './keep/keep-workspace.js';
import { startServer } from './server/demo-server.js';
import { type Stage } from './stage.js';
import { excerpt } from './terminal/excerpt.js';
import { processTerminal, type Terminal } from './terminal/terminal.js';
import { replayWorkEvents } from './work-events/work-events.demo.js';

/** `launcher`: the script that starts a server with the argument `start`. */
type DemoEdges = Readonly<{
  launcher: string;
  env?: Readonly<Record<string, string | undefined>>;
  terminal?: Terminal;
}>;

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const interrupted = 130;

/** Plays one demo against its own server, or runs a server on the workspace of a story. Returns the exit code: 0 if all checks passed. */
export async function runDemo(argv: readonly string[], edges: DemoEdges): Promise<number> {
  const { env = process.env, terminal = processTerminal() } = edges;
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of stopSignals) process.on(signal, onSignal);
  try {
    const choice = readArguments(argv, env, terminal);
    return await perform(choice, { ...edges, env, terminal }, stop.signal);
  } catch (error) {
    return stop.signal.aborted ? interrupted : exitCodeOf(error, terminal);
  } finally {
    for (const signal of stopSignals) process.off(signal, onSignal);
  }
}

async function perform(
  choice: DemoChoice,
  edges: DemoEdges & { terminal: Terminal },
  signal: AbortSignal,
): Promise<number> {
  if (choice.demo === 'history') {
    await writeHistory(choice, edges.terminal);
    return 0;
  }
  if (choice.demo === 'keep') {
    await keepWorkspace(choice, { ...edges, env: edges.env ?? {}, signal });
    return 0;
  }
  const prepared = await prepare(choice, edges.terminal);
  return (await play(prepared, edges, signal)) ? 0 : 1;
}

/** A demo whose input was read. Returns whether all checks passed. */
type PreparedDemo = (stage: Stage) => Promise<boolean>;

type PlayedChoice = Exclude<DemoChoice, { demo: 'history' | 'keep' }>;

/** Reads the input, so that no server is started if it is missing. */
async function prepare(choice: PlayedChoice, terminal: Terminal): Promise<PreparedDemo> {
  switch (choice.demo) {
    case 'feature':
      return playFeature;
    case 'work-events':
      return replayWorkEvents(choice, terminal);
    case 'agent-trail':
      return playAgentTrail(choice.path, terminal);
  }
}

async function play(
  demo: PreparedDemo,
  { launcher, env = {}, terminal = processTerminal() }: DemoEdges,
  signal: AbortSignal,
): Promise<boolean> {
  const server = await startServer(launcher, env, signal);
  try {
    terminal.write(`server: ${server.address.origin}, with a temporary data directory`);
    return await demo({ server, terminal, signal });
  } finally {
    terminal.clear();
    await server.stop();
    terminal.write('server: stopped, data directory removed');
  }
}

function exitCodeOf(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (!(error instanceof DemoError)) throw error;
  terminal.warn(`demo: ${excerpt(error.message, 1000)}`);
  return 1;
}
