import { sql } from 'kysely';

import { listDeadLetters, retryDeadLetter, sharedContextProjection } from '#read-models';

import { GrowingContexts } from './harness/histories.js';
import { type KillablePostgres, openKillablePostgres } from './harness/postgres.js';
import { type Run, runScenario } from './harness/scenario.js';
import { limitMs, sized } from './harness/size.js';
import { waitUntil } from './harness/wait-until.js';

const rounds = sized(1, 10);
const contextCount = 12;

describe('R-22', () => {
  let postgres: KillablePostgres;

  beforeAll(async () => {
    postgres = await openKillablePostgres();
  });
  afterAll(() => postgres.close());

  it(
    'an event that cannot be applied quarantines its context; other contexts continue, and no event is skipped',
    () =>
      runScenario('R-22', postgres, async (run) => {
        const { store, fleet, database, random } = run;
        await fleet.startProjector('projector');
        const contexts = new GrowingContexts(run, contextCount);
        await contexts.grow(contextCount * 10);
        const letters = () =>
          listDeadLetters(database.db, { projection: sharedContextProjection, limit: 10 });
        for (let round = 0; round < rounds; round++) {
          const victim = contexts.id(random.int(0, contextCount - 1));
          await poison(run, victim);
          await contexts.grow(contextCount * 20);
          const [letter] = await waitUntil('one dead letter', letters, (all) => all.length === 1);
          if (!letter) throw new Error('the letter was there');
          expect(letter).toMatchObject({
            contextId: victim,
            error: expect.stringMatching(/poison/),
          });
          const [event] = await store.readStream(`context-default:${victim}`, {
            from: letter.version,
            limit: 1,
          });
          expect(letter.eventId).toBe(event?.eventId);
          await waitUntil(
            `no context behind but ${victim}`,
            () => findBehind(run),
            (all) => all.join() === victim,
          );

          await sql`drop trigger poison on throughline.context_items`.execute(database.db);
          expect(await retryDeadLetter({ db: database.db, store }, letter.id)).toEqual({
            done: true,
          });
          await waitUntil(
            'no context behind',
            () => findBehind(run),
            (all) => all.length === 0,
          );
        }
        return { rounds, contexts: contextCount };
      }),
    limitMs,
  );
});

/** Makes PostgreSQL refuse the rows of this context. */
async function poison({ database, poisoned }: Run, contextId: string): Promise<void> {
  poisoned.add(contextId);
  await database.pool.query(`
    create or replace function throughline.refuse_poison() returns trigger language plpgsql as $$
    begin raise exception 'poison' using errcode = 'data_exception'; end $$;
    create trigger poison before insert on throughline.context_items for each row
    when (new.context_id = '${contextId}') execute function throughline.refuse_poison()`);
}

/** The contexts whose rows are not at the last version of their stream. */
async function findBehind({ database }: Run): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select split_part(s.stream, ':', 2) as id
    from throughline.streams s join throughline.events e using (stream_id)
    left join throughline.contexts c on c.context_id = split_part(s.stream, ':', 2)
    group by s.stream, c.version having max(e.version) > coalesce(c.version, 0) order by 1`.execute(
    database.db,
  );
  return rows.map(({ id }) => id);
}
