import { ContractSite, type EventStoreFixture, type EventStoreFlags } from './contract-site.js';
import { expectedVersions } from './expected-versions.contract.js';
import { repeatedAppends } from './repeated-appends.contract.js';
import { appends } from './appends.contract.js';
import { streamReads } from './stream-reads.contract.js';
import { logReads } from './log-reads.contract.js';
import { subscriptions } from './subscriptions.contract.js';
import { deadlines } from './deadlines.contract.js';

const parts = [
  expectedVersions,
  repeatedAppends,
  appends,
  streamReads,
  logReads,
  subscriptions,
  deadlines,
];

/** Every requirement of the port, for every adapter. Other clients may write to the log between tests. */
export function eventStoreContract(
  name: string,
  openFixture: () => Promise<EventStoreFixture>,
  flags: EventStoreFlags,
): void {
  describe(`${name} fulfills the contract of the EventStore port`, () => {
    const site = new ContractSite(flags);
    beforeAll(() => site.open(openFixture), 60_000);
    afterAll(() => site.close());
    for (const part of parts) part(site);
  });
}
