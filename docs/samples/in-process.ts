import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SharedContextModule, SharedContextService } from 'throughline';
import { z } from 'zod';

const plan = z.object({ files: z.array(z.string()) });

/** A step of your workflow: reads what the architect left, writes what the developer did. */
@Injectable()
class DeveloperStep {
  constructor(private readonly contexts: SharedContextService) {}

  async run(contextId: string, signal: AbortSignal): Promise<string[]> {
    const developer = this.contexts.asAgent('developer');
    // Parsed by the schema; null while the architect has not finished.
    const design = await developer.getStepOutput(contextId, 'design', { schema: plan, signal });
    if (!design) return [];
    await developer.addStepOutput(contextId, 'build', { done: design.files }, { signal });
    return design.files;
  }
}

/** Runs against the PostgreSQL given; without `databaseUrl` an embedded one is started in `./.throughline`. */
export async function runSample(databaseUrl?: string) {
  const contextModule = await SharedContextModule.forRoot(databaseUrl ? { databaseUrl } : {});

  @Module({ imports: [contextModule], providers: [DeveloperStep] })
  class WorkflowModule {}

  const app = await NestFactory.createApplicationContext(WorkflowModule, { logger: ['error'] });
  try {
    const contexts = app.get(SharedContextService);
    const architect = contexts.asAgent('architect');
    const { contextId } = await architect.createContext({ title: 'Login page' });

    await architect.addStepOutput(contextId, 'design', { files: ['login.ts'] });
    await architect.recordDecision(contextId, {
      decision: 'Sessions live in the database',
      rationale: 'They must survive a restart',
      topic: 'sessions',
    });
    const files = await app.get(DeveloperStep).run(contextId, AbortSignal.timeout(5_000));

    // A write that was decided on version 1 is refused, and the error contains the events since then.
    const conflict = await architect
      .setPreferences(contextId, { verbosity: 'low' }, { ifMatch: 1 })
      .catch((error: unknown) => error);
    return { files, conflict, document: await contexts.getContext(contextId) };
  } finally {
    await app.close();
  }
}
