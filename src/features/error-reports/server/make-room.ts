import { sql } from 'drizzle-orm'
import type { Transaction } from '#server/db/database.ts'

/**
 * Errors of one network never displace those of several. A network counts for twenty errors at
 * most: to push out an error that n networks report, an attacker needs more than 15 × n networks.
 */
export const reportLimits = {
  /** Errors of one network, or of none any more. */
  solo: 200,
  /** Errors of several networks. */
  shared: 300,
  perNetwork: 20,
  networksCounted: 50,
} as const

/** With the number of networks that count, and the network of the reports that have only one. */
const counted = sql`counted as (
  select r.fingerprint, r.count, r.last_at, count(n.network)::int as networks, min(n.network) as network
  from error_reports r left join error_report_networks n on n.fingerprint = r.fingerprint
  group by r.fingerprint)`

/**
 * Makes room by deleting reports of one network: first those whose networks are forgotten, then of
 * the network that has most, there the rarest and then the oldest.
 */
export async function makeRoomForReport(tx: Transaction): Promise<void> {
  await tx.execute(sql`with ${counted}, solo as (select * from counted where networks <= 1)
    delete from error_reports where fingerprint in (
      select fingerprint from solo
      order by network is null desc, count(*) over (partition by network) desc, network, count, last_at, fingerprint
      limit greatest(0, (select count(*) from solo) - ${reportLimits.solo - 1}::int))`)
}

/**
 * Keeps a network within its share before it counts for another error: deletes its rarest unshared
 * report, or else the network no longer counts for the error it reported longest ago.
 */
export async function makeRoomForNetwork(
  tx: Transaction,
  { network, fingerprint }: { network: string; fingerprint: string },
): Promise<void> {
  const held = sql`held as (
    select n.fingerprint, n.last_at, r.count,
      not exists (select from error_report_networks o where o.fingerprint = n.fingerprint and o.network <> ${network}) as alone
    from error_report_networks n join error_reports r on r.fingerprint = n.fingerprint
    where n.network = ${network} and n.fingerprint <> ${fingerprint})`
  await tx.execute(sql`with ${held}, surplus as (
      select fingerprint, alone from held
      order by alone desc, case when alone then count end, last_at, fingerprint
      limit greatest(0, (select count(*) from held) - ${reportLimits.perNetwork - 1}::int)),
    gone as (delete from error_reports where fingerprint in (select fingerprint from surplus where alone))
    delete from error_report_networks
    where network = ${network} and fingerprint in (select fingerprint from surplus where not alone)`)
}

/** Deletes the reports of the fewest networks, of equally many the oldest. */
export async function trimSharedReports(tx: Transaction): Promise<void> {
  await tx.execute(sql`with ${counted}
    delete from error_reports where fingerprint in (
      select fingerprint from counted where networks > 1
      order by networks desc, last_at desc, fingerprint offset ${reportLimits.shared}::int)`)
}
