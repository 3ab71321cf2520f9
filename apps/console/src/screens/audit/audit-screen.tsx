import { type ReactNode } from 'react';

import { Link } from '../../navigation/link.js';
import { useLocation } from '../../navigation/location.js';
import { Empty } from '../../ui/states.js';
import { ExportTab } from './export-tab.js';
import { PoliciesTab } from './policies-tab.js';
import { ReceiptTab } from './receipt-tab.js';
import { VerificationTab } from './verification-tab.js';
import { VisibilityTab } from './visibility-tab.js';

type AuditTab = Readonly<{ path: string; label: string; show: () => ReactNode }>;

const tabs: readonly AuditTab[] = [
  { path: '/audit', label: 'Verification', show: () => <VerificationTab /> },
  { path: '/audit/receipts', label: 'Receipts', show: () => <ReceiptTab /> },
  { path: '/audit/export', label: 'Export', show: () => <ExportTab /> },
  { path: '/audit/policies', label: 'Policies', show: () => <PoliciesTab /> },
  { path: '/audit/visibility', label: 'Who sees what', show: () => <VisibilityTab /> },
];

/** Evidence for auditors: hash chains, receipts, exports, and the visibility rules of audiences. */
export function AuditScreen() {
  const { path, parameters } = useLocation();
  const shown = tabs.find((tab) => tab.path === path);
  const selection = {
    q: parameters.get('q') ?? undefined,
    context: parameters.get('context') ?? undefined,
  };
  return (
    <div className="audit">
      <h1>Audit</h1>
      <nav className="tabs" aria-label="Parts of the audit">
        {tabs.map((tab) => (
          <Link key={tab.path} to={tab.path} parameters={selection}>
            {tab.label}
          </Link>
        ))}
      </nav>
      {shown ? shown.show() : <Empty title="There is no such tab" />}
    </div>
  );
}
