# The service in an image: built in the first stage; the second has only what runs. It runs no command, so that a release
# (scripts/release/image.ts) can make it for any processor, on an image without a shell, from a first stage of its own.
# Any Debian-based image of Node 22, 24 or 26 will do: docker build --build-arg NODE_IMAGE=node:24-slim .
ARG NODE_IMAGE=node:22.23.2-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY clients/typescript/package.json clients/typescript/
# Without scripts: `prepare` would build the sources, which are not copied yet.
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY scripts/build.mjs scripts/build.mjs
COPY src src
COPY clients/typescript/src clients/typescript/src
RUN npm run build
# Only the packages that the service needs to run, without what is for debuggers; the client of its commands is in dist.
RUN npm prune --omit=dev --ignore-scripts && find node_modules -name '*.map' -delete && rm node_modules/gsls-client
RUN mkdir /data

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="GSLS" \
      org.opencontainers.image.description="The Game Server Listing Service" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
WORKDIR /app
# A folder for --data-file /data/registry: a volume mounted here gets this owner, the user of the service.
COPY --from=build --chown=node:node /data /data
COPY package.json LICENSE ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
EXPOSE 53600
# Asks the port of GSLS_PORT with the key of GSLS_KEY or GSLS_KEY_FILE, so a container gets these as variables.
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s --retries=3 CMD ["node", "dist/cli.js", "healthcheck"]
# Node itself, not npm, which would not pass SIGTERM on. Flags may follow: docker run gsls --ttl 30
ENTRYPOINT ["node", "dist/cli.js"]
