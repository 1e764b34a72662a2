import type { EventSource } from '#features/events/server/events.ts'
import type { CreditBalance } from '../schemas.ts'
import { creditBalance } from './balance.ts'

type Source = EventSource<Pick<CreditBalance, 'credits' | 'unlimitedUntil' | 'updatedAt'>>

export const creditEvents: Source = {
  concerns: (notification) => (notification.kind === 'credits' ? 'balance' : undefined),

  async read({ db, clock }, { userId }) {
    const { credits, unlimitedUntil, updatedAt } = await creditBalance(db, userId, clock())
    return [{ data: { credits, unlimitedUntil, updatedAt } }]
  },

  async start(deps, listener) {
    return { changes: await creditEvents.read(deps, listener, ['balance']) }
  },
}
