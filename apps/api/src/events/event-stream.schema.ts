import { z } from 'zod';

import { type DocumentedAnswer } from '../http/endpoint.js';

/** How both streams are answered. */
export const eventStreamAnswer: DocumentedAnswer = {
  description:
    'Server-sent events. `event`: an event, with its id; `up-to-date`, once: what was stored has been sent; `reset`: forget the id, and begin anew; a comment `ping` every 15 seconds.',
  schema: z.string(),
  mediaType: 'text/event-stream',
};
