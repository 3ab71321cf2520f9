# syntax=docker/dockerfile:1
FROM node:24-slim AS base
WORKDIR /app
ENV NODE_ENV=production
COPY package.json package-lock.json .npmrc ./
COPY apps/cli/bin apps/cli/bin

FROM base AS build
RUN npm ci --include=dev
COPY . .
# `dist` is a link to the build it names; the image takes what is behind it.
RUN node apps/cli/bin/throughline.mjs build && cp -rL dist /built

FROM base
RUN npm ci --omit=dev && npm cache clean --force \
  && install -d -o node -g node /data
COPY --from=build /built dist
COPY LICENSE README.md CHANGELOG.md ./
USER node
ENV THROUGHLINE_HOST=0.0.0.0 THROUGHLINE_PORT=3000 THROUGHLINE_DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.THROUGHLINE_PORT + '/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "apps/cli/bin/throughline.mjs"]
CMD ["start"]
