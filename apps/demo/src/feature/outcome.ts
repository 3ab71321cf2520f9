import { contextPath, storedEvent } from '../server/demo-client.js';
import { count } from '../terminal/progress.js';
import { type Cast } from './cast.js';
import { type Narrator } from './narrator.js';

/** Closes the context and prints its final state. Returns whether the closed context refuses writes. */
export async function showOutcome(cast: Cast, narrator: Narrator): Promise<boolean> {
  narrator.act('The person closes the context, which refuses every write from now on');
  await narrator.write(cast['product-owner'], { path: 'close', body: { reason: 'released' } });
  const { status, body } = await cast.analyst.client.send({
    method: 'POST',
    path: contextPath(narrator.contextId, 'step-outputs'),
    body: { stepId: 'analysis', output: 'one more thing' },
  });
  narrator.line('analyst', `is refused with ${status}: ${titleOf(body)}`);
  narrator.act('The final document');
  const document = await narrator.read(cast['product-owner']);
  for (const { artifactId, path } of document.artifactReferences)
    narrator.line('', `  saw artifact ${artifactId}: ${path}`);
  const { events, bytes, tokens } = document.size;
  narrator.line('', `  ${count(events)} events, ${count(bytes)} bytes, ${count(tokens)} tokens`);
  narrator.act('The stored events');
  const path = contextPath(narrator.contextId, 'events');
  const stored = await cast['product-owner'].client.readAll(storedEvent, path);
  const repeated = stored.filter(({ data }) => data['stepId'] === 'load-test');
  narrator.events(stored.filter((event) => !repeated.includes(event)));
  narrator.line('', `  and the ${repeated.length} outputs of load-test`);
  return status === 409 && document._version === stored.length;
}

function titleOf(problem: unknown): string {
  return typeof problem === 'object' && problem !== null && 'title' in problem
    ? String(problem.title)
    : 'no reason given';
}
