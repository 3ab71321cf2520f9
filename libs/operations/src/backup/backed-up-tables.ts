/**
 * Tables that cannot be rebuilt, in the order of backup and restore: streams follow the events that they are computed from. A test
 * compares the two lists with the tables that the migrations create.
 */
export const backedUpTables = [
  { table: 'store_identity', key: 'singleton' },
  { table: 'server_secrets', key: 'name' },
  { table: 'api_keys', key: 'key_id' },
  { table: 'workspace_settings', key: 'workspace, version' },
  { table: 'agent_versions', key: 'workspace, agent_id, version' },
  { table: 'transformation_versions', key: 'workspace, transformation_id, version' },
  { table: 'workflow_versions', key: 'workspace, definition_id, version' },
  { table: 'workflow_publications', key: 'workspace, definition_id, publication' },
  { table: 'policy_versions', key: 'workspace, audience, version' },
  { table: 'cited_texts', key: 'workspace, context_id, hash' },
  { table: 'create_claims', key: 'workspace, create_key' },
  { table: 'events', key: 'position' },
  { table: 'streams', key: 'stream_id' },
] as const;

/**
 * Tables that are not in a backup: read models with their checkpoints and jobs, which follow from the log; counters, which follow from
 * the counted rows; claims, whose outcome is in the log; the epoch, because a restored store starts a new one; the tables of the migrator.
 */
export const rebuildableTables = [
  'counters',
  'contexts',
  'context_items',
  'context_versions',
  'context_agents',
  'context_lineages',
  'open_work',
  'run_claims',
  'store_epoch',
  'search_items',
  'search_places',
  'summary_places',
  'context_summary_groups',
  'context_summary_counts',
  'projections',
  'projection_partitions',
  'projector_instances',
  'dead_letters',
  'jobs',
  'migrations',
  'migrations_lock',
  'migration_checksums',
] as const;
