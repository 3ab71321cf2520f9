#!/usr/bin/env node
import { Throughline } from '@throughline/sdk';

import { serveMcpOnStdio } from './stdio-endpoint.js';

try {
  await serveMcpOnStdio(Throughline.fromEnvironment());
} catch (error) {
  process.stderr.write(
    `throughline-mcp: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
