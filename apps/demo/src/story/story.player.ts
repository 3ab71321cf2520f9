import { z } from 'zod';

import { DemoError } from '../demo-error.js';
import { clientWithKey, contextPath, DemoClient } from '../server/demo-client.js';
import { type Stage } from '../stage.js';
import { count } from '../terminal/progress.js';
import { type MemberName, members } from './members.js';
import { story } from './story.js';
import { type RequestStep, type StoryStep, type WorkStep } from './story-step.js';
import { team } from './team.story.js';

const claimSeconds = 20;

const claimedWork = z.looseObject({ attemptToken: z.string() });

const writtenEvents = z.looseObject({ events: z.array(z.looseObject({ eventId: z.string() })) });

const waitingRun = z.looseObject({
  active: z.array(
    z.looseObject({ approval: z.looseObject({ approvalId: z.string() }).optional() }),
  ),
});

type StoryState = Readonly<{
  clients: Map<MemberName, DemoClient>;
  /** By the names that steps give them. */
  receipts: Map<string, string>;
  /** The ids of events by the names that steps give them. */
  events: Map<string, string>;
}>;

/** Writes the story through the API. The administrator uses the root key; each other member has a separate key. */
export async function playStory(stage: Stage): Promise<void> {
  const root = new DemoClient(stage.server, stage.server.adminKey, stage.signal);
  const state: StoryState = {
    clients: new Map([['admin', root]]),
    receipts: new Map(),
    events: new Map(),
  };
  for (const step of team) await play(step, state);
  for (const { name, ...key } of members)
    state.clients.set(name, await clientWithKey(root, stage, key));
  for (const [nth, step] of story.entries()) {
    stage.terminal.show?.(`${count(nth)} of ${count(story.length)} steps of the story`);
    await play(step, state);
  }
}

async function play(step: StoryStep, state: StoryState): Promise<void> {
  const client = state.clients.get(step.as);
  if (!client) throw new DemoError(`there is no member ${step.as}`);
  if ('reads' in step) state.receipts.set(step.receipt, await client.readReceipt(step.reads));
  else if ('approvesIn' in step) await approve(client, step.approvesIn, step.comment);
  else if ('path' in step) await request(client, step, state);
  else await work(client, step.as, step);
}

async function request(
  client: DemoClient,
  { refusedWith, basedOn, names, causedBy, ...sent }: RequestStep,
  { receipts, events }: StoryState,
): Promise<void> {
  const answer = await client.accept(
    {
      method: 'POST',
      ...sent,
      basedOn: named(receipts, basedOn),
      causationId: named(events, causedBy),
      // The events of one chain of causes belong to the same piece of work.
      correlationId: (names ?? causedBy) === undefined ? undefined : 'login',
    },
    refusedWith,
  );
  const eventId =
    names === undefined ? undefined : writtenEvents.parse(answer).events.at(-1)?.eventId;
  if (names !== undefined && eventId !== undefined) events.set(names, eventId);
}

function named(values: ReadonlyMap<string, string>, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const value = values.get(name);
  if (value === undefined) throw new DemoError(`no earlier step has the name ${name}`);
  return value;
}

/** Claims the attempt that the step needs, which may follow from a write that was stored only now, and reports its result. */
async function work(client: DemoClient, agent: MemberName, result: WorkStep): Promise<void> {
  const claim = { agents: [agent], wait: claimSeconds };
  const { attemptToken } = claimedWork.parse(
    await client.accept({ method: 'POST', path: 'work/claim', body: claim }),
  );
  const [path, report] =
    'fails' in result
      ? ['work/fail', { attemptToken, ...result.fails }]
      : ['work/complete', { attemptToken, output: result.completes }];
  await client.accept({ method: 'POST', path, body: report });
}

async function approve(client: DemoClient, contextId: string, comment: string): Promise<void> {
  const { active } = await client.read(waitingRun, contextPath(contextId, 'run'));
  const approvalId = active.find(({ approval }) => approval)?.approval?.approvalId;
  if (approvalId === undefined)
    throw new DemoError(`the run of ${contextId} waits for no approval`);
  const path = `approvals/${encodeURIComponent(approvalId)}/approve`;
  await client.accept({ method: 'POST', path, body: { comment } });
}
