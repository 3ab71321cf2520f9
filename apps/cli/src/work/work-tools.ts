import { type ApiClient } from '../api-client.js';
import { type Environment } from '../credentials.js';
import { type Program } from './run-program.js';

/** What all attempts of a worker are carried out with. */
export type WorkTools = Readonly<{
  api: ApiClient;
  env: Environment;
  program: Program;
  log: (line: string) => void;
  /** Aborts when programs are not waited for any more. */
  killing: AbortSignal;
}>;
