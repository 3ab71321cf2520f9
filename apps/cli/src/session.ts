import { type ApiAnswer, type ApiClient, createApiClient } from './api-client.js';
import {
  type Connection,
  type ConnectionOptions,
  type Environment,
  resolveConnection,
} from './credentials.js';
import { type Terminal } from './terminal.js';

/** `lost` resolves if the server has lost its database permanently. */
export type RunningServer = Readonly<{ stop: () => Promise<void>; lost: Promise<Error> }>;

/** Starts the api or a projector in this process. The launcher passes it, because applications must not import each other. */
export type StartServer = (
  env: Environment,
  options: Readonly<{
    print: (line: string) => void;
    isTerminal: boolean;
    /** By default, a server prints the sign-in link of its console on a terminal only. */
    printsSignInLink?: boolean;
  }>,
) => Promise<RunningServer>;

export type Session = Readonly<{
  env: Environment;
  terminal: Terminal;
  api: ApiClient;
  /** Returns the address of the server and the key; throws if options or environment are invalid. */
  connect: () => Connection;
  startServer: StartServer;
  startProjector: StartServer;
  json: boolean;
  /** Prints the unchanged answer with --json, otherwise the text of `render`. */
  show: (answer: ApiAnswer, render: () => string) => void;
}>;

export type SessionEdges = Readonly<{
  env: Environment;
  terminal: Terminal;
  startServer: StartServer;
  startProjector: StartServer;
}>;

export function openSession(
  edges: SessionEdges,
  options: ConnectionOptions & Readonly<{ json?: boolean | undefined }>,
): Session {
  const json = options.json ?? false;
  const connect = () => resolveConnection(options, edges.env);
  return {
    ...edges,
    json,
    connect,
    api: createApiClient(connect),
    show: ({ text }, render) => {
      if (!json) edges.terminal.write(render());
      else if (text !== '') edges.terminal.write(text);
    },
  };
}
