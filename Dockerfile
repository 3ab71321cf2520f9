# syntax=docker/dockerfile:1
# The server, the projector and every command of Throughline. It writes to /data and /tmp only, so the rest may be
# mounted read-only; with DATABASE_URL it needs no volume either. docs/deployment.md says how to run it.
FROM node:24-bookworm-slim AS base
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY apps/cli/bin apps/cli/bin
COPY packages/sdk/package.json packages/sdk/
COPY packages/mcp/package.json packages/mcp/
COPY packages/langgraph/package.json packages/langgraph/

FROM base AS build
RUN npm ci
COPY apps apps
COPY libs libs
COPY packages packages
COPY migrations migrations
# `dist` is a link to the build it names; the image takes what is behind it.
RUN node apps/cli/bin/throughline.mjs build && cp -rL dist /built

FROM base AS dependencies
# The Node that npm brings for machines without a current one stays out: the image has its own. So do the published
# packages: what the server uses of them is in its build.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node node_modules/@throughline packages

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production
COPY --from=dependencies /app ./
COPY --from=build /built dist
COPY docker/health.mjs docker/make-kurrentdb-user.mjs docker/
COPY docs/samples/grant-reading-all.mjs docs/samples/
COPY LICENSE README.md CHANGELOG.md ./
RUN install -d -m 0700 -o node -g node /data
USER node
ENV THROUGHLINE_HOST=0.0.0.0 THROUGHLINE_PORT=3000 THROUGHLINE_DATA_DIR=/data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 CMD ["node", "docker/health.mjs"]
ENTRYPOINT ["node", "apps/cli/bin/throughline.mjs"]
CMD ["start"]
