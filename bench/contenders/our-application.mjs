import { watchProjection } from '../projection.mjs';
import { stepsPerContext } from './turns.mjs';

/**
 * SharedContextService in this process: it parses, decides, seals events into the hash chain and appends; the projector
 * updates the read models in the same process.
 */
export async function openOurApplication({ connectionString, outputs, name, build }) {
  const { NestFactory, SharedContextModule, SharedContextService } = build;
  const module = await SharedContextModule.forRoot({ databaseUrl: connectionString });
  const application = await NestFactory.createApplicationContext(module, { logger: ['error'] });
  const service = application.get(SharedContextService).asAgent('architect');
  const projection = await watchProjection(connectionString);
  const contexts = new Map();
  let stored = 0;
  const turn = async (client) => {
    let current = contexts.get(client);
    if (!current || current.step === stepsPerContext) {
      const { contextId } = await service.createContext({ title: 'bench' });
      contexts.set(client, (current = { contextId, step: 0 }));
    }
    current.step += 1;
    return current;
  };
  return {
    name,
    connectionString,
    stored: () => stored,
    begin: async (clients) => {
      for (let client = 0; client < clients; client++) await turn(client);
    },
    request: async (client) => {
      const { contextId, step } = await turn(client);
      const { output } = outputs[stored++ % outputs.length];
      await service.addStepOutput(contextId, `step-${step}`, output);
    },
    settle: () => projection.settle(),
    close: async () => {
      await projection.close();
      await application.close();
    },
  };
}
