import { type DemoServer } from './server/demo-server.js';
import { type Terminal } from './terminal/terminal.js';

/** What every demo plays on. `signal` ends it. */
export type Stage = Readonly<{ server: DemoServer; terminal: Terminal; signal: AbortSignal }>;
