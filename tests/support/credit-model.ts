import { type OrderStatus, orderStatus } from '#features/billing/rules.ts'

const hour = 3_600_000
const leastTimeToPay = 600_000
const day = 24 * hour

export type Codes =
  | 'ok'
  | 'credits.insufficient'
  | 'credits.fair_use'
  | `claim.${string}`
  | 'order.not_payable'
  | 'order.too_many_open'

interface Lot {
  remaining: number
  expiresAt: number
  /** Refunded to another lot; never extended itself. */
  isRefund?: boolean
  lengthenedBy?: Lot
}

interface ModelGeneration {
  takes: { lot: Lot; credits: number }[]
  status: 'open' | 'failed' | 'cancelled' | 'succeeded'
  finishedAt: number
  requested: boolean
  refunded: boolean
}

const contents = { starter: 499, basic: 1499, premium: null }
/** QRIS. */
const orderLife = 48 * hour

export function sumByEnd(lots: [credits: number, end: number][]): [credits: number, end: number][] {
  const sums = new Map<number, number>()
  for (const [credits, end] of lots) sums.set(end, (sums.get(end) ?? 0) + credits)
  return [...sums].map(([end, credits]) => [credits, end])
}

/** Reference model of credits; times are milliseconds. */
export class CreditModel {
  now = 0
  readonly #lots: Lot[] = []
  readonly #generations = new Map<string, ModelGeneration>()
  readonly #orders = new Map<
    string,
    {
      status: OrderStatus
      session: 'open' | 'over' | 'paid' | 'wrong'
      until: number
      packageId: keyof typeof contents
    }
  >()
  #unlimitedUntil = 0
  #immediateRefunds: number[] = []

  lots(): [credits: number, end: number][] {
    return sumByEnd(this.#live().map(({ remaining, expiresAt }) => [remaining, expiresAt]))
  }

  unlimitedUntil(): number | null {
    return this.#unlimitedUntil > this.now ? this.#unlimitedUntil : null
  }

  orderStatus(id: string): number | undefined {
    return this.#orders.get(id)?.status
  }

  gain(credits: number, days: number): void {
    this.#lots.push({ remaining: credits, expiresAt: this.now + days * day })
  }

  /** Five orders may be unpaid. */
  mayBuy(): Codes {
    const open = [...this.#orders.values()].filter(({ status }) => status === orderStatus.unpaid)
    return open.length < 5 ? 'ok' : 'order.too_many_open'
  }

  /** The unpaid order for the package, which is reused. */
  waiting(packageId: keyof typeof contents): string | undefined {
    const usable = [...this.#orders].filter(
      ([, order]) =>
        order.packageId === packageId &&
        order.status === orderStatus.unpaid &&
        order.session !== 'wrong' &&
        order.until > this.now + leastTimeToPay,
    )
    return usable.at(-1)?.[0]
  }

  buy(id: string, packageId: keyof typeof contents): void {
    this.#orders.set(id, { status: orderStatus.unpaid, session: 'open', until: this.now + orderLife, packageId })
  }

  pay(id: string, action: string): Codes {
    const order = this.#orders.get(id)
    if (!order) throw new Error('no such order')
    const open = order.session === 'open' && order.until > this.now
    switch (action) {
      case 'expire':
        if (order.session !== 'open') return 'order.not_payable'
        order.session = 'over'
        if (order.status === orderStatus.unpaid) order.status = orderStatus.cancelled
        return 'ok'
      case 'pay_wrong':
        if (!open) return 'order.not_payable'
        order.session = 'wrong'
        return 'ok'
      case 'pay':
        if (!open) return 'order.not_payable'
        break
      case 'pay_late':
        if (order.session === 'paid' || order.session === 'wrong') return 'order.not_payable'
        break
      case 'pay_twice':
        // After a wrong payment this is a right one.
        if (!open && order.session !== 'paid' && order.session !== 'wrong') return 'order.not_payable'
    }
    order.session = 'paid'
    if (order.status === orderStatus.paid) return 'ok'
    order.status = orderStatus.paid
    const credits = contents[order.packageId]
    if (credits === null) this.#unlimitedUntil = Math.max(this.#unlimitedUntil, this.now) + 30 * day
    else this.gain(credits, 30)
    return 'ok'
  }

  expireOrders(): void {
    for (const order of this.#orders.values()) {
      if (order.status !== orderStatus.unpaid || order.until > this.now) continue
      order.status = orderStatus.cancelled
    }
  }

  spend(id: string, price: number): Codes {
    if (this.#unlimitedUntil > this.now) {
      this.#generations.set(id, { takes: [], status: 'open', finishedAt: 0, requested: false, refunded: false })
      return 'ok'
    }
    const lots = this.#live()
    if (lots.reduce((sum, { remaining }) => sum + remaining, 0) < price) return 'credits.insufficient'
    const takes: ModelGeneration['takes'] = []
    let rest = price
    for (const lot of lots) {
      const credits = Math.min(lot.remaining, rest)
      if (credits === 0) break
      lot.remaining -= credits
      rest -= credits
      takes.push({ lot, credits })
    }
    this.#generations.set(id, { takes, status: 'open', finishedAt: 0, requested: false, refunded: false })
    return 'ok'
  }

  end(id: string, status: 'failed' | 'cancelled' | 'succeeded'): void {
    const generation = this.#generations.get(id)
    if (generation?.status !== 'open') return
    generation.status = status
    generation.finishedAt = this.now
    if (status !== 'succeeded') this.#refund(generation)
  }

  requestRefund(id: string): Codes {
    const generation = this.#generations.get(id)
    if (generation?.status !== 'succeeded') return 'claim.not_possible'
    if (this.now - generation.finishedAt > day) return 'claim.too_late'
    if (generation.requested) return 'claim.already_made'
    generation.requested = true
    this.#immediateRefunds = this.#immediateRefunds.filter((at) => at > this.now - 30 * day)
    if (this.#immediateRefunds.length < 3) {
      this.#immediateRefunds.push(this.now)
      this.#refund(generation)
    }
    return 'ok'
  }

  /** Back to its lot; one that ends within a week is extended to a week, but only once. */
  #refund(generation: ModelGeneration): void {
    if (generation.refunded) return
    generation.refunded = true
    for (const { lot, credits } of generation.takes) {
      const ending = lot.expiresAt < this.now + 7 * day && !lot.isRefund
      if (ending && !lot.lengthenedBy) {
        lot.lengthenedBy = { remaining: 0, expiresAt: this.now + 7 * day, isRefund: true }
        this.#lots.push(lot.lengthenedBy)
      }
      const target = ending ? (lot.lengthenedBy as Lot) : lot
      target.remaining += credits
    }
  }

  #live(): Lot[] {
    return this.#lots
      .filter(({ remaining, expiresAt }) => remaining > 0 && expiresAt > this.now)
      .sort((a, b) => a.expiresAt - b.expiresAt)
  }
}
