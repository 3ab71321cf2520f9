export default function stopHost() {
  return globalThis.stopSharedServers();
}
