import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { throughline } from '../e2e/server-process.js';
import { ThroughlineServer, rootKey } from '../e2e/throughline-server.js';

const root = join(import.meta.dirname, '..', '..');
const data = resolve(root, process.env['THROUGHLINE_DATA'] ?? '../shared/data');
const revisionsFile = join(data, 'revisions', 'story-revisions.jsonl');
const decisionsFile = join(data, 'decisions', 'adr.jsonl');
const limitMs = 150_000;

type Revision = Readonly<{ path: string; revision: number; author: string; text: string }>;
type Adr = Readonly<{ source: string; path: string; text: string }>;

function readLines<Line>(path: string): Line[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  // The README of the files describes their lines.
  return lines.map((line) => JSON.parse(line) as Line);
}

if (existsSync(revisionsFile) && existsSync(decisionsFile)) {
  describe(`the real revisions and decisions in ${data}`, () => {
    const stories = Map.groupBy(readLines<Revision>(revisionsFile), ({ path }) => path);
    const decisions = readLines<Adr>(decisionsFile).slice(0, 60);
    let server: ThroughlineServer;
    let env: Record<string, string>;

    beforeAll(async () => {
      server = await ThroughlineServer.start();
      env = { THROUGHLINE_URL: server.url, THROUGHLINE_KEY: rootKey };
      for (const [n, revisions] of [...stories.values()].entries())
        await writeStory(`story-${n}`, inOrder(revisions));
      await writeDecisions();
    }, limitMs);

    afterAll(() => server.stop());

    const inOrder = (revisions: readonly Revision[]) =>
      revisions.toSorted((left, right) => left.revision - right.revision);

    /** Each revision is caused by the previous one, and belongs to its file. */
    async function writeStory(contextId: string, revisions: readonly Revision[]): Promise<void> {
      const path = await server.context(contextId);
      let cause: string | undefined;
      for (const { author, text } of revisions) {
        const headers = { 'correlation-id': contextId, ...(cause && { 'causation-id': cause }) };
        const body = { stepId: 'story', output: text, agentId: author };
        const answer = await server.post(`${path}/step-outputs`, body, { headers });
        cause = answer.body.events[0].eventId;
      }
    }

    /** Records of one project have one topic, so that each supersedes the previous one. */
    async function writeDecisions(): Promise<void> {
      const path = await server.context('decisions');
      const live = new Map<string, string>();
      for (const { source, path: decision, text } of decisions) {
        const body = { topic: source, decision, rationale: text };
        const supersedes = live.get(source);
        const answer = await server.post(`${path}/decisions`, {
          ...body,
          ...(supersedes && { supersedes }),
        });
        live.set(source, answer.body.decisionId);
      }
    }

    it(
      'show every revision next to the one that it replaced, exactly',
      async () => {
        for (const [n, revisions] of [...stories.values()].entries())
          for (const [at, { text }] of inOrder(revisions).entries()) {
            const { body } = await server.get(
              `/v1/contexts/story-${n}/diff?from=${at + 1}&to=${at + 2}`,
            );
            const before = inOrder(revisions)[at - 1]?.text;
            if (before === undefined) expect(body.outputsAdded[0].output).toBe(text);
            else {
              expect(body.outputsReplaced[0].before.output).toBe(before);
              expect(body.outputsReplaced[0].after.output).toBe(text);
            }
          }
      },
      limitMs,
    );

    it(
      'are replayed on the command line as one JSON object per event',
      async () => {
        const longest = [...stories.values()].findIndex((revisions) => revisions.length === 40);
        const { code, out, err } = await throughline(
          ['replay', `story-${longest}`, '--step', 'story', '--json'],
          env,
        );
        expect([code, err]).toEqual([0, '']);
        const steps = out.split('\n').map((line) => JSON.parse(line));
        expect(steps).toHaveLength(40);
        const revisions = inOrder([...stories.values()][longest] ?? []);
        for (const [at, { changed }] of steps.entries()) {
          const output = changed.find(({ part }: { part: string }) => part === 'stepOutputs');
          expect(output.after.output).toBe(revisions[at]?.text);
          expect(output.before?.output).toBe(revisions[at - 1]?.text);
        }
      },
      limitMs,
    );

    it('leave one decision of each project live, and list all superseded ones', async () => {
      type DecisionView = Readonly<{ live: boolean; topic: string }>;
      const made: DecisionView[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const place: string = cursor && `&cursor=${cursor}`;
        const path = `/v1/contexts/decisions/diff?from=0&limit=500${place}`;
        const { body } = await server.get(path);
        made.push(...body.decisionsMade);
        cursor = body.nextCursor;
      }
      expect(made).toHaveLength(decisions.length);
      const sources = new Set(decisions.map(({ source }) => source));
      const live = made.filter((decision) => decision.live);
      expect(live.map(({ topic }) => topic).sort()).toEqual([...sources].sort());
      const { body: last } = await server.get(
        `/v1/contexts/decisions/diff?from=${decisions.length}`,
      );
      expect(last.decisionsMade).toHaveLength(1);
      expect(last.decisionsMade[0].rationale).toBe(decisions.at(-1)?.text);
    });

    it(
      'can be traced back from the newest revision to the first, and forward again',
      async () => {
        for (const [n, revisions] of [...stories.values()].entries()) {
          const { body } = await server.get(`/v1/contexts/story-${n}/events?limit=500`);
          const [first, last] = [body.items[1], body.items.at(-1)];
          const up = (await server.get(`/v1/events/${last.eventId}/trace`)).body.nodes;
          const down = (await server.get(`/v1/events/${first.eventId}/trace`)).body.nodes;
          const versions = revisions.map((_, at) => at + 2);
          for (const nodes of [up, down])
            expect(nodes.map(({ version }: { version: number }) => version)).toEqual(versions);
        }
      },
      limitMs,
    );

    it(
      'are in the feed once each, in order, for any page size',
      async () => {
        const every = [...stories.values()].reduce((sum, { length }) => sum + length + 1, 0);
        for (const limit of [7, 500]) {
          const seen: string[] = [];
          let after = 'start';
          for (let page; page?.items.length !== 0;) {
            page = (await server.get(`/v1/feed?after=${after}&limit=${limit}`)).body;
            for (const { contextId, version } of page.items) seen.push(`${contextId}@${version}`);
            after = page.nextCursor;
          }
          expect(seen).toHaveLength(every + decisions.length + 1);
          expect(new Set(seen).size).toBe(seen.length);
          const stories0 = seen.filter((place) => place.startsWith('story-0@'));
          expect(stories0).toEqual(stories0.map((_, at) => `story-0@${at + 1}`));
        }
      },
      limitMs,
    );
  });
} else {
  describe(`the real revisions and decisions, ABSENT in ${data}`, () => {
    it('are not replayed here', () => {
      expect([revisionsFile, decisionsFile].every((path) => existsSync(path))).toBe(false);
    });
  });
}
