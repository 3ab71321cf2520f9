import { type DemoServer } from './server/demo-server.js';
import { type Terminal } from './terminal/terminal.js';

/** The server and the terminal of a demo. `signal` ends the demo. */
export type Stage = Readonly<{ server: DemoServer; terminal: Terminal; signal: AbortSignal }>;
