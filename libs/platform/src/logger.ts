import { type Logger, destination, pino } from 'pino';

import { type Config } from './config.js';

export type { Logger };

/** Logs JSON lines to standard error, because standard output is for the output of commands. */
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
