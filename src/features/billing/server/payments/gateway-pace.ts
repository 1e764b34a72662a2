import { setTimeout as pause } from 'node:timers/promises'

/** How fast a gateway may be read by tasks that nobody waits for. */
export interface Pace {
  perSecond: number
  parallel: number
}

/** A thousand sessions in under a minute, and well below what gateways allow. */
export const gatewayPace: Pace = { perSecond: 20, parallel: 8 }

/** When the next reading of this process may begin; all tasks share it. */
let nextStart = 0

/**
 * Works through a list, several at a time, each begun when the gateway's pace allows it; ends early
 * when it is told to stop.
 */
export async function atGatewayPace<Item>(
  items: Item[],
  { perSecond, parallel }: Pace,
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
