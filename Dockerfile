# Emboss: API, worker, console and, unless DATABASE_URL names another, a PostgreSQL of its own. See docs/deploy.md.

# By digest it is the same image at every build: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY console/package.json console/
COPY sdk/package.json sdk/
RUN npm ci --ignore-scripts --include=dev --no-audit --no-fund
COPY . .
RUN node bin/setup.mjs

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The server's own packages: console and SDK are built, and need none to run.
RUN npm ci --ignore-scripts --omit=dev --workspaces=false --no-audit --no-fund

FROM ${NODE_IMAGE}
WORKDIR /app
# PUBLIC_URL is the base of every link that is handed out: set it to where people reach the server.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 PUBLIC_URL=http://localhost:8080 DATA_DIR=/data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/package.json package.json
COPY --from=build /app/bin bin
COPY --from=build /app/migrations migrations
COPY --from=build /app/dist dist
COPY --from=build /app/console/dist console/dist
COPY --from=build /app/docs docs
RUN mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--min-semi-space-size=8", "--max-semi-space-size=32", "bin/emboss.mjs"]
CMD ["start"]
