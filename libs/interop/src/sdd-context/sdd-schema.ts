/** Members of the document that the format has. */
export const knownMembers: readonly string[] = [
  'feature_id',
  'feature_name',
  'workflow_version',
  'created_at',
  'updated_at',
  'current_state',
  'completed_phases',
  'iteration_counts',
  'circuit_breaker_status',
  'handover_notes',
  'decisions',
  'review_history',
  'requirements_summary',
  'dependencies',
  'risks',
  'metrics',
];

/** The lists of `requirements_summary` and the kinds of their entries. */
export const requirementLists = [
  ['functional', 'functional'],
  ['non_functional', 'non_functional'],
  ['constraints', 'constraint'],
] as const;

export const dependencyLists = ['external', 'internal'] as const;

export const reviewStatuses = [
  'APPROVED',
  'APPROVED_WITH_FIXES',
  'REJECTED_WITH_FEEDBACK',
  'BLOCKED',
] as const;

export const priorities = ['critical', 'high', 'medium', 'low'] as const;

export const severities = ['critical', 'high', 'medium', 'low'] as const;

export const riskStatuses = ['open', 'mitigated', 'accepted', 'closed', 'occurred'] as const;

/** Numbers in `metrics` that can be added up, and the metrics of a context for them. */
export const countedMetrics = [
  ['total_tasks', 'totalTasks'],
  ['completed_tasks', 'completedTasks'],
  ['phases_completed', 'phasesCompleted'],
  ['total_iterations', 'totalIterations'],
  ['review_iterations', 'reviewIterations'],
] as const;

/** Numbers that are derived from others. */
export const derivedMetrics = [
  ['review_pass_rate', 'reviewPassRate'],
  ['average_iteration_count', 'averageIterationCount'],
  ['total_time_hours', 'totalTimeHours'],
  ['estimated_vs_actual_time', 'estimatedVsActualTime'],
  ['bottleneck_phase', 'bottleneckPhase'],
] as const;
