type OutcomeBadgeProps = Readonly<{ outcome: string | null; status: string }>;

/** The outcome of a context in words. A context whose events determine none shows whether it is open. */
export function OutcomeBadge({ outcome, status }: OutcomeBadgeProps) {
  const isKnown = outcome !== null && outcome !== 'unknown';
  return (
    <span className={`badge ${outcome ?? ''}`}>
      {isKnown ? outcome.replaceAll('_', ' ') : status}
    </span>
  );
}
