import type { ReadConfig } from '../config.ts'

export interface ConnectionsConfig {
  all: number
  /** Concurrent requests instead, if a trusted proxy passes them on. */
  perAddress: number
  headersMilliseconds: number
  /** Applies to bodies of at most 64 KB; a larger one may take longer. */
  bodyMilliseconds: number
}

declare module '../config.ts' {
  interface FeatureConfig {
    connections: ConnectionsConfig
  }
}

export const readConnectionsConfig: ReadConfig<ConnectionsConfig> = (read) => {
  const variables = {
    CONNECTIONS: { value: read('CONNECTIONS') ?? '4000', least: 10, most: 1_000_000 },
    CONNECTIONS_EACH: { value: read('CONNECTIONS_EACH') ?? '400', least: 10, most: 1_000_000 },
    HEADERS_SECONDS: { value: read('HEADERS_SECONDS') ?? '10', least: 1, most: 120 },
    BODY_SECONDS: { value: read('BODY_SECONDS') ?? '15', least: 1, most: 600 },
  }
  for (const [name, { value, least, most }] of Object.entries(variables)) {
    if (!/^\d{1,9}$/.test(value) || Number(value) < least || Number(value) > most)
      return { problem: `${name} must be a whole number from ${least} to ${most}` }
  }
  return {
    config: {
      all: Number(variables.CONNECTIONS.value),
      perAddress: Number(variables.CONNECTIONS_EACH.value),
      headersMilliseconds: 1000 * Number(variables.HEADERS_SECONDS.value),
      bodyMilliseconds: 1000 * Number(variables.BODY_SECONDS.value),
    },
  }
}
