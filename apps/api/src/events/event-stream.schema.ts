import { z } from 'zod';

import { type DocumentedAnswer } from '../http/endpoint.js';

/** The answer of both live streams. */
export const eventStreamAnswer: DocumentedAnswer = {
  description:
    'Server-sent events. `event`: an event, with its id; `up-to-date`, once: all stored events have been sent; `reset`: discard the id, and start again; a comment `ping` every 15 seconds.',
  schema: z.string(),
  mediaType: 'text/event-stream',
};
