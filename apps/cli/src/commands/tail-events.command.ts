import { z } from 'zod';

import { path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { contextEvent, authorOf } from '../replay/context-event.js';
import { dataLine } from '../replay/event-data.js';
import { Follower } from '../replay/follow.js';
import { listenForStop } from '../stop-signal.js';
import { oneLine } from '../printable.js';

const fedEvent = contextEvent.extend({ contextId: z.string().optional() });
const feedPage = z.looseObject({ items: z.array(fedEvent), nextCursor: z.string() });
const eventsPage = z.looseObject({ items: z.array(fedEvent), nextCursor: z.string().nullable() });

const limit = 500;
const waitSeconds = 25;
const widestLine = 200;

type Show = (event: z.output<typeof fedEvent>) => void;

export const tailEvents = defineCommand({
  name: 'tail',
  summary: 'Follow the events of the workspace (auditors and admins), or of one context',
  arguments: [['[context]', 'id of the context; every context when left out']],
  options: [['--from-start', 'begin with the first event instead of the next']],
  examples: [
    'throughline tail',
    'throughline tail demo --from-start',
    'throughline tail --json | jq -r "select(.type == \\"DecisionRecorded\\") | .data.decision"',
  ],
  input: z.object({ context: z.string().optional(), fromStart: z.boolean().default(false) }),
  run: async ({ api, terminal, json }, { context, fromStart }) => {
    const { signal, release } = listenForStop();
    const follower = new Follower({ api, signal, notice: terminal.warn });
    const show: Show = (event) => terminal.write(json ? JSON.stringify(event) : render(event));
    const follow = context === undefined ? followFeed : followContext(context);
    await follow(follower, fromStart, show).finally(release);
  },
});

/** The first question only fixes the place, so that what happens from now on is seen whatever happens to the server. */
async function followFeed(follower: Follower, fromStart: boolean, show: Show): Promise<void> {
  let after = fromStart ? 'start' : 'head';
  let wait = 0;
  for (;;) {
    const page = await follower.ask(feedPage, { path: 'feed', query: { after, limit, wait } });
    if (!page) return;
    page.items.forEach(show);
    after = page.nextCursor;
    wait = waitSeconds;
  }
}

function followContext(context: string) {
  return async (follower: Follower, fromStart: boolean, show: Show): Promise<void> => {
    const events = path`contexts/${context}/events`;
    const now = await follower.askVersion({ path: events, query: { limit: 1 } });
    let after = fromStart ? 0 : now;
    let cursor: string | undefined;
    while (after !== undefined) {
      const query = { after, cursor, limit, wait: waitSeconds };
      const page = await follower.ask(eventsPage, { path: events, query });
      if (!page) return;
      page.items.forEach(show);
      after = page.items.at(-1)?.version ?? after;
      // A page without an event may go on behind what this key does not see.
      cursor = page.nextCursor ?? undefined;
    }
  };
}

function render(event: z.output<typeof fedEvent>): string {
  const { recordedAt, contextId, version, type, data } = event;
  const place = contextId === undefined ? `${version}` : `${contextId}@${version}`;
  return oneLine(
    `${recordedAt ?? '-'} ${place} ${type} by ${authorOf(event)} ${dataLine(data)}`,
    widestLine,
  );
}
