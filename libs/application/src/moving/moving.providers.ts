import { ContextChain } from './context-chain.js';
import { ExportContextHandler } from './export-context.handler.js';
import { ImportAppender } from './import-appender.js';
import { ImportEventsHandler } from './import-events.handler.js';
import { ImportPlanner } from './import-planner.js';
import { VerifyContextHandler } from './verify-context.handler.js';

/** What moves contexts between servers, and proves that they are whole. */
export const moving = [
  ContextChain,
  VerifyContextHandler,
  ExportContextHandler,
  ImportPlanner,
  ImportAppender,
  ImportEventsHandler,
];
