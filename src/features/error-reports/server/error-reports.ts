import { createHash, createHmac } from 'node:crypto'
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { requirePermission } from '#server/auth/require-user.ts'
import type { Transaction } from '#server/db/database.ts'
import { advisoryLock, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { widerNetwork } from '#server/http/client-address.ts'
import { isWithinRate } from '#server/http/rate-limit.ts'
import { route } from '#server/http/route.ts'
import { version } from '#server/version.ts'
import { addTime } from '#shared/time.ts'
import { type ErrorReports, errorReportDays, errorReportInput, errorReportsSchema } from '../schemas.ts'
import { errorReportNetworks, errorReports } from './table.ts'

/**
 * Removes what could identify a user or be their content: addresses, quoted texts, long words and
 * numbers.
 */
export const anonymizeMessage = (text: string) =>
  text
    .replace(/[a-z][a-z+.-]*:\/\/\S+|(data|blob):\S+|\S+@\S+|(?<=^|\s)\/\S+/gi, '…')
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g, '"…"')
    .replace(/[A-Za-z0-9_-]{25,}|\d{4,}/g, '…')

/** Topmost frames of the build's files with line and column, and nothing else of a stack. */
export const framesOf = (stack: string) => (stack.match(/[\w.-]+\.js:\d+:\d+/g) ?? []).slice(0, 3).join(' ')

/**
 * By version, message and the frame that threw. Numbers, words with digits, case and spaces do not
 * count: they differ between reports of the same error, and are free to invent.
 */
export function fingerprintOf({
  part,
  version,
  message,
  place,
}: Record<'part' | 'version' | 'message' | 'place', string>) {
  const words = message.toLowerCase().replace(/[\p{L}\p{N}_]*\p{N}[\p{L}\p{N}_]*/gu, '0')
  const text = words.replace(/\s+/g, ' ').trim()
  const [frame = ''] = place.split(' ')
  return createHash('sha256').update(`${part}\n${version}\n${text}\n${frame}`).digest('hex')
}

const hour = 3600
/** Days after which a network's report no longer counts for an error. */
const networkDays = 7
const listed = 100

interface Report {
  fingerprint: string
  network: string
  now: Date
}

/**
 * Counts an error without its user. A network reports a limited number of errors, so that invented
 * ones never displace an error that many networks report; the rest is dropped silently.
 */
export async function recordErrorReport(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  report: typeof errorReportInput.infer,
  address: string,
): Promise<void> {
  const origin = widerNetwork(address)
  const rules = [
    { rule: 'error-report', subject: address, limit: 20, seconds: hour },
    { rule: 'error-report:network', subject: origin, limit: 200, seconds: hour },
  ]
  if (!(await isWithinRate(deps, rules))) return
  const { db, clock, config } = deps
  const { part } = report
  const described = { part, version, message: anonymizeMessage(report.message), place: framesOf(report.place) }
  const fingerprint = fingerprintOf(described)
  const network = createHmac('sha256', config.jwtSecret).update(`error-report:${origin}`).digest('base64url')
  const now = clock()
  await transact(db, async (tx) => {
    const seen = { fingerprint, network, now }
    if (await countKnown(tx, seen)) return
    // Only reports that may displace others wait for each other.
    await advisoryLock(tx, 'error-reports')
    if (!(await incrementCount(tx, seen))) {
      await makeRoomForReport(tx)
      const row = { fingerprint, ...described, count: 1, firstAt: now, lastAt: now }
      await tx.insert(errorReports).values(row).onConflictDoNothing()
    }
    await noteNetwork(tx, seen)
  })
}

/** True if this network counts already for the error, or enough others do. */
async function countKnown(tx: Transaction, report: Report): Promise<boolean> {
  const networks = await networksOf(tx, report)
  if (!networks.includes(report.network) && networks.length < reportLimits.networksCounted) return false
  if (!(await incrementCount(tx, report))) return false
  await tx
    .update(errorReportNetworks)
    .set({ lastAt: report.now })
    .where(
      and(eq(errorReportNetworks.fingerprint, report.fingerprint), eq(errorReportNetworks.network, report.network)),
    )
  return true
}

async function incrementCount(tx: Transaction, { fingerprint, now }: Report): Promise<boolean> {
  const counted = await tx
    .update(errorReports)
    .set({ count: sql`${errorReports.count} + 1`, lastAt: now })
    .where(eq(errorReports.fingerprint, fingerprint))
    .returning({ count: errorReports.count })
  return counted.length > 0
}

async function networksOf(tx: Transaction, { fingerprint }: Report): Promise<string[]> {
  const { network } = errorReportNetworks
  const found = await tx
    .select({ network })
    .from(errorReportNetworks)
    .where(eq(errorReportNetworks.fingerprint, fingerprint))
  return found.map((row) => row.network)
}

async function noteNetwork(tx: Transaction, report: Report): Promise<void> {
  const { fingerprint, network, now } = report
  const networks = await networksOf(tx, report)
  if (networks.includes(network) || networks.length >= reportLimits.networksCounted) return
  await makeRoomForNetwork(tx, { network, fingerprint })
  await tx.insert(errorReportNetworks).values({ fingerprint, network, lastAt: now })
  if (networks.length === 1) await trimSharedReports(tx)
}

/** Errors that most networks reported, of equally many the newest. */
async function listErrors({ db }: Pick<Deps, 'db'>): Promise<ErrorReports> {
  const networks = db.$count(errorReportNetworks, eq(errorReportNetworks.fingerprint, errorReports.fingerprint))
  const { part, message, place, count, firstAt, lastAt } = errorReports
  const found = await db
    .select({
      part,
      version: errorReports.version,
      message,
      place,
      count,
      networks: networks.as('networks'),
      firstAt,
      lastAt,
    })
    .from(errorReports)
    .orderBy(sql`networks desc`, desc(lastAt))
    .limit(listed)
  return {
    items: found.map((row) => ({ ...row, firstAt: row.firstAt.toISOString(), lastAt: row.lastAt.toISOString() })),
  }
}

export async function sweepErrors({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const daysAgo = (days: number) => addTime(clock(), { days: -days })
  await db.delete(errorReports).where(lt(errorReports.lastAt, daysAgo(errorReportDays)))
  await db.delete(errorReportNetworks).where(lt(errorReportNetworks.lastAt, daysAgo(networkDays)))
}

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
async function makeRoomForReport(tx: Transaction): Promise<void> {
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
async function makeRoomForNetwork(
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
async function trimSharedReports(tx: Transaction): Promise<void> {
  await tx.execute(sql`with ${counted}
    delete from error_reports where fingerprint in (
      select fingerprint from counted where networks > 1
      order by networks desc, last_at desc, fingerprint offset ${reportLimits.shared}::int)`)
}

export const errorReportContributions = {
  work: (deps: Deps) => deps.jobs.every('sweep-error-reports', 24 * 3600, () => sweepErrors(deps)),
}

export function errorReportRoutes(deps: Deps) {
  return [
    route('reportError', 'POST /error_reports', 'visitor', {
      summary: 'Report an app error, without user content',
      input: { json: errorReportInput },
      output: { 204: 'Recorded or dropped' },
      handler: (c) => recordErrorReport(deps, c.req.valid('json'), c.var.address),
    }),
    route('listErrors', 'GET /admin/error_reports', requirePermission(deps, 'control'), {
      summary: 'List app errors on devices with their counts',
      output: { 200: ['The most recent errors', errorReportsSchema] },
      handler: () => listErrors(deps),
    }),
  ]
}
