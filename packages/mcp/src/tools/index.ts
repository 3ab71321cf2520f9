import { type ToolContext, type Tool } from '../tool-context.js';
import { answer } from './answer.tool.js';
import { contextAppend } from './context-append.tool.js';
import { contextChanges } from './context-changes.tool.js';
import { contextExpand } from './context-expand.tool.js';
import { contextFind } from './context-find.tool.js';
import { contextView } from './context-view.tool.js';
import { decisionRecord } from './decision-record.tool.js';
import { inbox } from './inbox.tool.js';
import { reviewSubmit } from './review-submit.tool.js';
import { work } from './work.tool.js';

/** All tools for a key. Their parameters only name agents and audiences of the key. */
export function toolsFor(toolContext: ToolContext): readonly Tool[] {
  return [
    contextFind,
    contextView,
    contextChanges,
    contextExpand,
    contextAppend,
    decisionRecord,
    reviewSubmit,
    inbox,
    answer,
    work,
  ].map((tool) => tool(toolContext));
}
