import { join, resolve } from 'node:path';

/** Where everything of one embedded server lives. */
export type ClusterFiles = {
  readonly dataDirectory: string;
  /** What PostgreSQL calls its data directory. */
  readonly cluster: string;
  readonly password: string;
  readonly log: string;
  readonly lock: string;
};

export function clusterFilesIn(dataDirectory: string): ClusterFiles {
  const root = resolve(dataDirectory);
  return {
    dataDirectory: root,
    cluster: join(root, 'postgres'),
    password: join(root, 'postgres.password'),
    log: join(root, 'postgres.log'),
    lock: join(root, 'throughline.lock'),
  };
}
