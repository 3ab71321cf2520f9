// The health check of the image: whether the server, or the projector, in this container is ready.
const port = process.env.PROJECTOR_PORT || process.env.THROUGHLINE_PORT || 3000;
const answer = await fetch(`http://127.0.0.1:${port}/health/ready`);
if (!answer.ok) {
  console.error(`${answer.status} ${await answer.text()}`);
  process.exitCode = 1;
}
