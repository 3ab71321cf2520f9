import { type Logger, destination, pino } from 'pino';

import { type Config } from './config.js';

export type { Logger };

/** JSON lines on standard error, so that standard output stays free for what a command prints. */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination({ dest: 2, sync: true }),
  );
}
