import type { ReadConfig } from '../config.ts'
import { integer } from '../config-values.ts'

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
  return {
    config: {
      all: integer('CONNECTIONS', read('CONNECTIONS') ?? '4000', 10, 1_000_000),
      perAddress: integer('CONNECTIONS_EACH', read('CONNECTIONS_EACH') ?? '400', 10, 1_000_000),
      headersMilliseconds: 1000 * integer('HEADERS_SECONDS', read('HEADERS_SECONDS') ?? '10', 1, 120),
      bodyMilliseconds: 1000 * integer('BODY_SECONDS', read('BODY_SECONDS') ?? '15', 1, 600),
    },
  }
}
