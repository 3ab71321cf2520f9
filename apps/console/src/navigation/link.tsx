import { type MouseEvent, type ReactNode } from 'react';

import { hrefOf, navigate, useLocation } from './location.js';

type LinkProps = Readonly<{
  to: string;
  parameters?: Readonly<Record<string, string | number | undefined>>;
  className?: string;
  /** The link also counts as current on pages whose paths begin with this. */
  section?: string;
  children: ReactNode;
}>;

/** A link within the console. Text of agents is never a link. */
export function Link({ to, parameters, className, section, children }: LinkProps) {
  const href = hrefOf(to, parameters);
  const { path } = useLocation();
  const isBelow = section !== undefined && path.startsWith(section);
  const current = path === to ? 'page' : isBelow && 'true';
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
      {...(current !== false && { 'aria-current': current })}
    >
      {children}
    </a>
  );
}
