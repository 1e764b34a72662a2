import { v7 as uuid } from 'uuid'
import type { Chance, Rows } from './person.ts'

const day = 86_400_000
const iso = (moment: number) => new Date(moment).toISOString()

const campaigns = [
  { code: 'HALO25', kind: 'free_credits', value: 25, limit: 500 },
  { code: 'LEBARAN', kind: 'percent_off', value: 20, limit: null },
  { code: 'KAMPUS10', kind: 'percent_off', value: 10, limit: 200 },
  { code: 'HEMAT50RB', kind: 'amount_off', value: 50_000, limit: 100 },
  { code: 'TEMAN40', kind: 'free_credits', value: 40, limit: null },
  { code: 'WISUDA', kind: 'percent_off', value: 15, limit: 300 },
  { code: 'MAAF100', kind: 'free_credits', value: 100, limit: 20 },
]
const objections = ['Tepi rambutnya masih kasar.', 'Warna bajunya ikut berubah.', 'Tangannya terpotong.']
const networks = ['114.122.0.0/24', '36.68.12.0/24', '180.252.7.0/24', 'private']

/** Data that users leave with staff, costs of hosted services, and visitor counts. */
export function inventShop(
  people: Pick<Rows, 'users' | 'generations'>,
  { now, chance }: { now: number; chance: Chance },
): Pick<Rows, 'vouchers' | 'generation_claims' | 'security_events' | 'provider_jobs' | 'daily_visits'> {
  const vouchers = campaigns.map(({ code, kind, value, limit }, index) => {
    const created = now - (campaigns.length - index) * 43 * day
    return {
      id: uuid({ msecs: created }),
      code,
      kind,
      value,
      days: 90,
      active: index % 3 !== 1,
      uses: 0,
      version: 1,
      limit_total: limit,
      limit_per_user: 1,
      created_at: iso(created),
      valid_from: null,
      valid_until: index % 3 === 1 ? iso(created + 30 * day) : null,
    }
  })
  const fresh = people.generations
    .filter(({ status, created_at }) => status === 'succeeded' && Date.parse(String(created_at)) > now - 2 * day)
    .slice(0, 6)
  const refundRequests = fresh.map(({ id, user_id, finished_at }, index) => ({
    generation_id: id,
    user_id,
    status: 'waiting',
    refunded: 0,
    created_at: finished_at,
    reason: objections[index % objections.length],
  }))
  const events = Array.from({ length: 600 }, () => {
    const user = people.users[Math.floor(chance() * people.users.length)]
    const at = Math.max(Date.parse(String(user?.created_at)), now - 90 * day * chance() ** 2)
    const failed = chance() < 0.12
    return {
      kind: failed ? 'sign_in_failed' : 'sign_in',
      user_id: user?.id,
      created_at: iso(at),
      address_class: networks[Math.floor(chance() * networks.length)],
      detail: chance() < 0.7 ? 'password' : 'google',
    }
  })
  events.sort((a, b) => a.created_at.localeCompare(b.created_at))
  return {
    vouchers,
    generation_claims: refundRequests,
    security_events: events,
    provider_jobs: hostedJobs(people.generations, chance),
    daily_visits: visits(people.users, { now, chance }),
  }
}

const hosted: Record<string, { provider: string; task: string; usd: number }> = {
  'background-diffusion': { provider: 'fal', task: 'paintBackground', usd: 0.03 },
  headshot: { provider: 'replicate', task: 'paintPortrait', usd: 0.04 },
}

/** Hosted services' jobs for some tools. */
function hostedJobs(generations: Rows['generations'], chance: Chance): Rows['provider_jobs'] {
  return generations.flatMap((generation) => {
    const { provider, task, usd } = hosted[String(generation.tool)] ?? {}
    if (provider === undefined || generation.status !== 'succeeded') return []
    generation.provider = provider
    const { id, created_at } = generation
    return {
      id: uuid(),
      generation_id: id,
      place: `${task} 0`,
      task,
      provider,
      reference: uuid(),
      state: 'done',
      sent: 1,
      smaller: false,
      progress: 1,
      cost: (usd ?? 0) * (1 + chance()),
      created_at,
      ended_at: created_at,
    }
  })
}

/** Daily counts of the last months, following the registrations. */
function visits(users: Rows['users'], { now, chance }: { now: number; chance: Chance }): Rows['daily_visits'] {
  const dayOf = (moment: number) => iso(moment + 7 * 3_600_000).slice(0, 10)
  const joined = Map.groupBy(users, ({ created_at }) => dayOf(Date.parse(String(created_at))))
  return Array.from({ length: 120 }, (_, ago) => {
    const name = dayOf(now - ago * day)
    const visitors = Math.round(((joined.get(name)?.length ?? 0) + 1) * (4 + 3 * chance()))
    return { day: name, visitors, visits: Math.round(visitors * (1.4 + chance())) }
  })
}
