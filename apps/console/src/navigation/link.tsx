import { type MouseEvent, type ReactNode } from 'react';

import { hrefOf, navigate, useLocation } from './location.js';

type LinkProps = Readonly<{
  to: string;
  parameters?: Readonly<Record<string, string | number | undefined>>;
  className?: string;
  children: ReactNode;
}>;

/** A link within the console. Text of agents is never a link. */
export function Link({ to, parameters, className, children }: LinkProps) {
  const href = hrefOf(to, parameters);
  const { path } = useLocation();
  const isCurrent = path === to;
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a
      href={href}
      onClick={follow}
      {...(className !== undefined && { className })}
      {...(isCurrent && { 'aria-current': 'page' })}
    >
      {children}
    </a>
  );
}
