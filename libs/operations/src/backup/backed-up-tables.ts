/**
 * What cannot be made again from anything else, in the order in which it is written and restored: streams are known
 * once their events were read. A test holds the two lists against the tables that migrations make.
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
 * Read models, their checkpoints and jobs, which follow from the log; counters, which follow from the rows they count; claims, of
 * which the log says what has come of them; the epoch, since a restored store begins a new one; and what the migrator keeps itself.
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
