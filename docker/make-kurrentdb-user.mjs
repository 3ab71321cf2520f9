// Creates the user of Throughline in KurrentDB, if it does not exist, and lets it read $all.
// Usage: EVENTSTORE_ADMIN_URL=esdb://admin:... EVENTSTORE_PASSWORD=... node docker/make-kurrentdb-user.mjs <name>
import { setTimeout as wait } from 'node:timers/promises';

const attempts = 60;
const pauseMs = 1000;

const [name] = process.argv.slice(2);
const { EVENTSTORE_ADMIN_URL: url = '', EVENTSTORE_PASSWORD: password } = process.env;
const { groups: admin } = /^esdb:\/\/(?<account>[^@]+)@(?<hosts>[^/?]+)/.exec(url) ?? {};
if (!name || !password || !admin) {
  console.error(
    'EVENTSTORE_ADMIN_URL names an administrator and the hosts, EVENTSTORE_PASSWORD and the argument the user to make',
  );
  process.exit(2);
}

console.log(await makeUser());
// It reads the names from the arguments too, and ends the process when it is done.
await import('../docs/samples/grant-reading-all.mjs');

/** Accounts appear a moment after a new server is ready, and only the leader of a cluster makes users. */
async function makeUser() {
  let refused;
  for (let attempt = 0; attempt < attempts; attempt++) {
    for (const host of admin.hosts.split(',')) {
      const answer = await ask(host).catch((error) => ({ status: error.cause?.code ?? 0 }));
      if (answer.status === 201) return `made the user ${name}`;
      if (answer.status === 409) return `the user ${name} is there`;
      refused = `${host} answers ${answer.status}`;
    }
    await wait(pauseMs);
  }
  console.error(`the user ${name} cannot be made: ${refused}`);
  process.exit(1);
}

function ask(host) {
  const account = Buffer.from(decodeURIComponent(admin.account)).toString('base64');
  return fetch(`https://${host}/users/`, {
    method: 'POST',
    headers: { authorization: `Basic ${account}`, 'content-type': 'application/json' },
    body: JSON.stringify({ loginName: name, fullName: 'Throughline', groups: [], password }),
    redirect: 'manual',
    signal: AbortSignal.timeout(5000),
  });
}
