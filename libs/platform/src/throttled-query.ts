/**
 * A look at something that costs what there is: asked again, it answers what it saw last until it has rested for
 * `restTimes` as long as it took, and for `restMs` at least. Whoever asks while it looks hears what it finds.
 */
export function throttledQuery<Seen>(
  look: () => Promise<Seen>,
  { restMs, restTimes, now = () => performance.now() }: Rest,
): () => Promise<Seen> {
  let seen: Promise<Seen> | undefined;
  let until = Infinity;
  return () => {
    if (seen && now() < until) return seen;
    const began = now();
    const looking = look();
    seen = looking;
    until = Infinity;
    looking.then(
      () => (until = now() + Math.max(restMs, (now() - began) * restTimes)),
      () => (seen = undefined),
    );
    return looking;
  };
}

type Rest = Readonly<{ restMs: number; restTimes: number; now?: () => number }>;
