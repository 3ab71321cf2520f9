import { prepareCluster } from '../src/cluster-template.js';

// Makes the cluster that tests copy, before many of them at once find that it is not there.

// What it waits for at last, the watchdog, holds no process up.
const alive = setInterval(() => {}, 60_000);
await prepareCluster();
clearInterval(alive);
