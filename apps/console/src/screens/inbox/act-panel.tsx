import { apiPath } from '../../api/client.js';
import { type SignedInPrincipal, mayOperate, mayWrite, useMe } from '../../session/me.js';
import { ActForm } from './act-form.js';
import { DoubtForm } from './doubt-form.js';
import { InputForm } from './input-form.js';
import { type ApprovalWork, type Work, type WorkOf } from './work.js';

type PanelProps<Item> = Readonly<{ work: Item; onDone: (message: string) => void }>;

/** The form for a piece of work, if the key may do it. */
export function ActPanel({ work, onDone }: PanelProps<Work>) {
  const me = useMe();
  if (!mayAct(me, work)) return <p className="muted">Your key may read this, but not decide it.</p>;
  return <WorkForm work={work} onDone={onDone} />;
}

/** Kinds of work that agents may do, too. */
const agentKinds: ReadonlySet<string> = new Set(['handover', 'input-request', 'run']);

function mayAct(me: SignedInPrincipal, { kind }: Work): boolean {
  return agentKinds.has(kind) ? mayWrite(me) : mayOperate(me);
}

function WorkForm({ work, onDone }: PanelProps<Work>) {
  switch (work.kind) {
    case 'approval':
      return <ApprovalForm work={work} onDone={onDone} />;
    case 'doubt':
      return <DoubtForm work={work} onDone={onDone} />;
    case 'decision':
      return <DecisionForm work={work} onDone={onDone} />;
    case 'handover':
      return <HandoverForm work={work} onDone={onDone} />;
    case 'input-request':
      return <InputForm work={work} onDone={onDone} />;
    case 'circuit-breaker':
      return <BreakerForm work={work} onDone={onDone} />;
    case 'run':
      return <p className="muted">A worker of the agent claims this step.</p>;
  }
}

function ApprovalForm({ work: { contextId, entry }, onDone }: PanelProps<ApprovalWork>) {
  const request = (verdict: string) => (comment: string | undefined) => ({
    path: apiPath('approvals', entry.approvalId, verdict),
    body: { comment },
  });
  return (
    <ActForm
      contextId={contextId}
      commentLabel="Comment, which the next step gets"
      acts={verdicts(request)}
      onDone={onDone}
    />
  );
}

function DecisionForm({ work: { contextId, entry }, onDone }: PanelProps<WorkOf<'decision'>>) {
  const request = (verdict: string) => (reason: string | undefined) => ({
    path: apiPath('contexts', contextId, 'decisions', entry.decisionId, verdict),
    body: { reason },
  });
  return (
    <ActForm contextId={contextId} commentLabel="Reason" acts={verdicts(request)} onDone={onDone} />
  );
}

function verdicts(
  request: (
    verdict: 'approve' | 'reject',
  ) => (comment: string | undefined) => Readonly<{ path: string; body: unknown }>,
) {
  return [
    { label: 'Approve', done: 'Approved', request: request('approve') },
    {
      label: 'Reject',
      done: 'Rejected',
      needsComment: true,
      isDangerous: true,
      request: request('reject'),
    },
  ];
}

function HandoverForm({ work: { contextId, entry }, onDone }: PanelProps<WorkOf<'handover'>>) {
  const request = (note: string | undefined) => ({
    path: apiPath('contexts', contextId, 'handovers', entry.handoverId, 'acknowledge'),
    body: { note },
  });
  return (
    <ActForm
      contextId={contextId}
      commentLabel="Note"
      acts={[{ label: 'Acknowledge', done: 'Acknowledged', request }]}
      onDone={onDone}
    />
  );
}

function BreakerForm({
  work: { contextId, entry },
  onDone,
}: PanelProps<WorkOf<'circuit-breaker'>>) {
  const request = (reason: string | undefined) => ({
    path: apiPath('contexts', contextId, 'circuit-breakers', entry.subject, 'reset'),
    body: { reason },
  });
  return (
    <ActForm
      contextId={contextId}
      commentLabel="Reason"
      acts={[{ label: 'Allow more iterations', done: 'Reset', needsComment: true, request }]}
      onDone={onDone}
    />
  );
}
