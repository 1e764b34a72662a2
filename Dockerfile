# Builds the app with all packages; the final image keeps only the runtime files. Usage: docs/running/first-server.md
FROM node:24-bookworm-slim AS build
WORKDIR /srv/rupa
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /srv/rupa
COPY package.json package-lock.json .npmrc ./
COPY docs/deploy/prune.sh ./
RUN npm ci --omit=dev && sh prune.sh

FROM debian:bookworm-slim
RUN useradd --uid 10001 --no-create-home --home-dir /srv/rupa --shell /usr/sbin/nologin rupa \
  && mkdir /data \
  && chown rupa:rupa /data
COPY --from=packages /usr/local/bin/node /usr/local/bin/node
WORKDIR /srv/rupa
COPY --from=packages /srv/rupa/node_modules node_modules
COPY package.json LICENSE ./
COPY locale locale
COPY src src
COPY --from=build /srv/rupa/dist dist
USER rupa
ENV HOST=0.0.0.0 DATA_DIR=/data NODE_ENV=production
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["node", "src/scripts/probe.mjs"]
CMD ["node", "src/scripts/start-prod.mjs"]
