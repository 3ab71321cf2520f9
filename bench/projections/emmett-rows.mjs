/**
 * Rows comparable to ours, in tables like ours, for an Emmett projection: heads of contexts, items with the versions in
 * which they were current, a row per version, the agents. It does less than our projection: it does not read or carry
 * over the earlier state of an item.
 */
export function statementsFor(SQL, { type, data, metadata }) {
  const { streamName: contextId, principal, recordedAt } = metadata;
  const version = Number(metadata.streamPosition);
  const bytes = Buffer.byteLength(JSON.stringify(data));
  const by = { agentId: principal, timestamp: recordedAt };
  const items = JSON.stringify(
    itemsOf(type, data).map(({ kind, key, state, body }) => ({
      ...{ kind, key, state: JSON.stringify({ ...state, ...by }) },
      body: body === undefined ? null : JSON.stringify(body),
    })),
  );
  return [
    SQL`
      insert into throughline.contexts (workspace, context_id, version, created_at, created_by, modified_at,
        modified_by, title, status, bytes, tokens, activity)
      values ('default', ${contextId}, ${version}, ${recordedAt}, ${principal}, ${recordedAt}, ${principal},
        ${data.title ?? null}, 'open', ${bytes}, ${bytes >> 2}, '{}')
      on conflict (workspace, context_id) do update set version = excluded.version,
        modified_at = excluded.modified_at, modified_by = excluded.modified_by,
        bytes = contexts.bytes + excluded.bytes, tokens = contexts.tokens + excluded.tokens`,
    SQL`
      update throughline.context_items i set to_version = ${version}
      from json_to_recordset(${items}::json) as r(kind text, key text)
      where i.workspace = 'default' and i.context_id = ${contextId} and i.kind = r.kind and i.key = r.key
        and i.to_version is null`,
    SQL`
      insert into throughline.context_items (workspace, context_id, kind, key, from_version, state, body)
      select 'default', ${contextId}, kind, key, ${version}, state, body
      from json_to_recordset(${items}::json) as r(kind text, key text, state text, body text)`,
    SQL`
      insert into throughline.context_versions (workspace, context_id, version, recorded_at, principal, bytes, tokens)
      values ('default', ${contextId}, ${version}, ${recordedAt}, ${principal}, ${bytes}, ${bytes >> 2})`,
    SQL`
      insert into throughline.context_agents (workspace, agent_id, context_id)
      values ('default', ${principal}, ${contextId}) on conflict do nothing`,
  ];
}

function itemsOf(type, data) {
  switch (type) {
    case 'StepStarted':
      return [{ kind: 'step', key: data.stepId, state: { status: 'started' } }];
    case 'StepOutputAdded':
      return [
        { kind: 'step', key: data.stepId, state: { status: 'completed' } },
        { kind: 'step-output', key: data.stepId, body: data },
      ];
    case 'StepFailed':
      return [
        { kind: 'step', key: data.stepId, state: { status: 'failed' } },
        { kind: 'step-failure', key: data.stepId, body: data },
      ];
    case 'DecisionRecorded':
      return [
        { kind: 'decision', key: data.decisionId, state: { status: 'live' }, body: data },
        { kind: 'topic', key: data.topic, state: { decisionId: data.decisionId } },
        { kind: 'counter', key: 'decision', state: { value: data.decisionId } },
      ];
    case 'ArtifactReferenced':
      return [{ kind: 'artifact', key: data.artifactId, body: data }];
    default:
      return Object.entries(data.values ?? {}).map(([key, body]) => ({ kind: type, key, body }));
  }
}
