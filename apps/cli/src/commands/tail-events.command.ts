import { z } from 'zod';

import { path } from '../api-client.js';
import { defineCommand } from '../command.js';
import { contextEvent, authorOf } from '../replay/context-event.js';
import { dataLine } from '../replay/event-data.js';
import { Follower } from '../replay/follow.js';
import { listenForStop } from '../stop-signal.js';
import { oneLine } from '../printable.js';

const feedEvent = contextEvent.extend({ contextId: z.string().optional() });
const feedPage = z.looseObject({ items: z.array(feedEvent), nextCursor: z.string() });
const eventsPage = z.looseObject({ items: z.array(feedEvent), nextCursor: z.string().nullable() });

const limit = 500;
const waitSeconds = 25;
const widestLine = 200;

type PrintEvent = (event: z.output<typeof feedEvent>) => void;

export const tailEvents = defineCommand({
  name: 'tail',
  summary: 'Follow the events of the workspace (auditors and admins), or of one context',
  arguments: [['[context]', 'id of the context (default: all contexts)']],
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
    const show: PrintEvent = (event) =>
      terminal.write(json ? JSON.stringify(event) : render(event));
    const follow = context === undefined ? followFeed : followContext(context);
    await follow(follower, fromStart, show).finally(release);
  },
});

/** The first request only reads the position, so that no later event is missed if the server becomes unavailable. */
async function followFeed(follower: Follower, fromStart: boolean, show: PrintEvent): Promise<void> {
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
  return async (follower: Follower, fromStart: boolean, show: PrintEvent): Promise<void> => {
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
      // A page without an event may have a next page, because it skips events that are hidden from this key.
      cursor = page.nextCursor ?? undefined;
    }
  };
}

function render(event: z.output<typeof feedEvent>): string {
  const { recordedAt, contextId, version, type, data } = event;
  const position = contextId === undefined ? `${version}` : `${contextId}@${version}`;
  return oneLine(
    `${recordedAt ?? '-'} ${position} ${type} by ${authorOf(event)} ${dataLine(data)}`,
    widestLine,
  );
}
