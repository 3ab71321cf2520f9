import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';
import { z } from 'zod';

import { interpolateAll } from './interpolation.js';

export const root = join(import.meta.dirname, '..', '..');

const command = z.union([z.string(), z.array(z.string())]);

const service = z.looseObject({
  image: z.string(),
  build: z.string().optional(),
  profiles: z.array(z.string()).default([]),
  user: z.string().optional(),
  entrypoint: command.optional(),
  command: command.optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  network_mode: z.string().optional(),
  restart: z.string().optional(),
  stop_grace_period: z.string().optional(),
  healthcheck: z.looseObject({ test: command }).optional(),
  depends_on: z
    .record(z.string(), z.object({ condition: z.string(), required: z.boolean().default(true) }))
    .default({}),
});

const composeFile = z.looseObject({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
});

export type Service = z.infer<typeof service>;
export type ComposeFile = z.infer<typeof composeFile>;

/** The text of docker-compose.yml as YAML, with uninterpolated variables. */
export function readCompose(): unknown {
  return parseCompose(readFileSync(join(root, 'docker-compose.yml'), 'utf8'));
}

export function parseCompose(text: string): unknown {
  return parse(text, { merge: true });
}

/** The configuration that `docker compose` derives with these variables. */
export function resolveCompose(
  raw: unknown,
  env: Readonly<Record<string, string | undefined>>,
): ComposeFile {
  return composeFile.parse(interpolateAll(raw, env));
}

/** The services that `docker compose up` starts under these profiles. */
export function servicesOf({ services }: ComposeFile, profiles: readonly string[]) {
  return Object.fromEntries(
    Object.entries(services).filter(
      ([, { profiles: own }]) => own.length === 0 || own.some((name) => profiles.includes(name)),
    ),
  );
}
