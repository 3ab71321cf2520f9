import { AppendEventsController } from './append-events.controller.js';
import { ListEventsController } from './list-events.controller.js';
import { GetTraceController } from './get-trace.controller.js';
import { ReadFeedController } from './read-feed.controller.js';
import { StreamContextController } from './stream-context.controller.js';
import { StreamWorkspaceController } from './stream-workspace.controller.js';

export const eventControllers = [
  AppendEventsController,
  ListEventsController,
  GetTraceController,
  ReadFeedController,
  StreamContextController,
  StreamWorkspaceController,
];
