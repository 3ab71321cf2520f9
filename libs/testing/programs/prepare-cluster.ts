import { prepareCluster } from '../src/cluster-template.js';

// Creates the cluster template that tests copy, before many tests at once find that it is missing.

// The last process that it waits for, the watchdog, does not keep this one running.
const alive = setInterval(() => {}, 60_000);
await prepareCluster();
clearInterval(alive);
