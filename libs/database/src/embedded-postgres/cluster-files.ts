import { join, resolve } from 'node:path';

/** The paths of the files of one embedded server. */
export type ClusterFiles = {
  readonly dataDirectory: string;
  /** The data directory of PostgreSQL. */
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
