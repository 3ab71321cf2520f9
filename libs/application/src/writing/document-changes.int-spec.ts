import { type JsonObject } from '#event-sourcing';
import { did, listenToStatements, projectAll, useTestStore } from '#testing';

import { rootPrincipal } from '../authentication/authentication.js';
import { testDocuments } from '../reading/documents.fixture.js';
import { DocumentChanges } from './document-changes.js';

const principal = rootPrincipal('default');

describe('finding the changes of a sent document', () => {
  const test = useTestStore();

  const find = (contextId: string, document: JsonObject, ifMatch: number) => {
    const { contexts, documents, families } = testDocuments(test);
    const changes = new DocumentChanges(contexts, documents, families);
    return changes.find({ principal, contextId, document, ifMatch });
  };
  const grow = async (contextId: string, outputs: number) => {
    await test.history.append(contextId, did('ContextCreated', { title: 'Long' }));
    await test.history.append(contextId, did('GlobalContextSet', { values: { stack: 'node' } }));
    await test.history.append(
      contextId,
      ...Array.from({ length: outputs }, (_, n) =>
        did('StepOutputAdded', { stepId: `s-${n}`, output: 'o'.repeat(500) }),
      ),
    );
    return outputs + 2;
  };

  it('costs the same in a context of 100 outputs as in one of 1,000 that it leaves out', async () => {
    const [small, large] = [await grow('small', 100), await grow('large', 1_000)];
    await projectAll(test.db, test.store);
    const sent = listenToStatements(test.pool);
    const document = { globalContext: { stack: 'node', db: 'postgres' }, title: 'Long' };
    await find('small', document, small);
    const costs = await sent.costs(() => find('small', document, small));
    const more = await sent.costs(() => find('large', document, large));
    expect(more).toMatchObject({ statements: costs.statements, rows: costs.rows });
    expect(more.characters).toBeLessThan(2_000);
    expect((await find('large', document, large)).commands).toEqual([
      { type: 'SetPreferences', data: { values: {} } },
      { type: 'SetGlobalContext', data: { values: { db: 'postgres' } } },
    ]);
  });

  it('refuses a derived member that differs, and an unknown member', async () => {
    const version = await grow('c', 1);
    const sent = { currentState: { status: 'failed' }, unknown: 1, _version: 9 };
    const { refusal } = await find('c', sent, version);
    expect(refusal).toMatchObject({
      issues: expect.arrayContaining([
        expect.objectContaining({ pointer: '/currentState/status' }),
        { pointer: '/unknown', detail: 'is not a member of a context: leave it out' },
        expect.objectContaining({ pointer: '/_version' }),
      ]),
    });
  });
});
