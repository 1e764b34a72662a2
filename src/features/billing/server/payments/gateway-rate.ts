import { setTimeout as pause } from 'node:timers/promises'

export interface GatewayRate {
  perSecond: number
  parallel: number
}

/** A thousand sessions in under a minute, well below the limits of gateways. */
export const gatewayRate: GatewayRate = { perSecond: 20, parallel: 8 }

/** Shared by all tasks of this process. */
let nextStart = 0

/** Stops early when the signal is aborted. */
export async function withinGatewayRate<Item>(
  items: Item[],
  { perSecond, parallel }: GatewayRate,
  signal: AbortSignal | undefined,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values()
  const lane = async () => {
    for (const item of waiting) {
      if (signal?.aborted) return
      const start = Math.max(performance.now(), nextStart)
      nextStart = start + 1000 / perSecond
      await pause(Math.max(0, start - performance.now()))
      if (signal?.aborted) return
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: parallel }, lane))
}
