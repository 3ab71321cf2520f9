import { type ComponentType, Suspense, lazy } from 'react';

/** A screen whose code is loaded when it is first shown. */
export function lazyScreen<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Screen = lazy(async () => ({ default: await load() }));
  return function LazyScreen(props: Props) {
    return (
      <Suspense
        fallback={
          <p className="muted" role="status">
            Loading …
          </p>
        }
      >
        <Screen {...props} />
      </Suspense>
    );
  };
}
