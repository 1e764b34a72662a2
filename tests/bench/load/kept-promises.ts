import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { openStatuses } from '#features/generations/rules.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { openDatabase, rows } from '#server/db/database.ts'
import { findLedgerProblems } from '../../support/audit-books.ts'
import type { Fleet } from '../../support/fleet.ts'
import { jsonOf } from './client.ts'
import type { Promises } from './person.ts'

const patienceMilliseconds = 180_000

/**
 * Lost or repeated work: unfinished generations, missing files, wrong credits, inconsistent books.
 */
export async function findBrokenPromises(fleet: Fleet, promises: Promises): Promise<string[]> {
  const problems = [...promises.problems, ...promises.untold.map((id) => `no event told of the end of ${id}`)]
  const database = await openDatabase({ dataDir: '', databaseUrl: fleet.postgres.url }, pino({ level: 'silent' }))
  try {
    const { db } = database
    const giveUp = performance.now() + patienceMilliseconds
    const open = async () => {
      const found = await rows<{ id: string; status: string }>(
        db,
        sql`select id, status from generations where status not in ('succeeded', 'failed', 'cancelled')`,
      )
      return found
    }
    while ((await open()).length > 0 && performance.now() < giveUp) await pause(500)
    problems.push(...(await open()).map(({ id, status }) => `${id} never ended: ${status}`))

    const given = new Map([...promises.generations.values()].map((generation) => [generation.id, generation]))
    if (given.size !== promises.generations.size) problems.push('two requests were given the same generation')
    const made = await rows<{ id: string }>(db, sql`select id from generations`)
    // The audit of the books covers their refunds.
    const failed = await rows<{ error: string; n: number }>(
      db,
      sql`select error_code as error, count(*)::int as n from generations where status = 'failed' group by error_code`,
    )
    for (const { error, n } of failed) console.log(`${n} generations failed with ${error} and were refunded`)
    for (const { id } of given.values()) if (!made.some((row) => row.id === id)) problems.push(`${id} is gone`)
    for (const { id } of made) if (!given.has(id)) problems.push(`${id} was made, and no user was told`)
    const lots = await rows<{ id: string; n: number }>(
      db,
      sql`select o.id, count(e.id)::int as n from orders o left join ledger_entries e on e.subject_id = o.id group by o.id`,
    )
    for (const { id } of promises.orders.values()) {
      const n = Number(lots.find((order) => order.id === id)?.n ?? 0)
      if (n !== 1) problems.push(`the order ${id} was paid and gave credits ${n} times`)
    }
    for (const { id, n } of lots) if (Number(n) > 1) problems.push(`the order ${id} gave credits ${n} times`)
    problems.push(...(await findLedgerProblems(db)).map((problem) => JSON.stringify(problem)))
    problems.push(...(await missingFiles(promises)))
    return problems
  } finally {
    await database.close()
  }
}

export function printProblems(problems: readonly string[]): void {
  const counts = new Map<string, number>()
  for (const problem of problems) {
    const kind = problem.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, '…')
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  for (const [kind, count] of [...counts].sort(([, a], [, b]) => b - a)) console.log(`! ${count} × ${kind}`)
  console.log(problems.length === 0 ? '0 lost, 0 doubled, the books agree' : `${problems.length} problems`)
}

/** Reads every result of every user. */
async function missingFiles({ people }: Promises): Promise<string[]> {
  const problems: string[] = []
  for (const { client } of people) {
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer = await client.ask('check', `/api/generations?limit=50${cursor && `&cursor=${cursor}`}`)
      const page = jsonOf<{ items: GenerationView[]; nextCursor: string | null }>(answer)
      for (const { id, status, inputs, outputs } of page.items) {
        if ((openStatuses as readonly string[]).includes(status)) continue
        for (const file of [...inputs, ...outputs]) {
          const { status: found, bytes } = await client.ask('check', file.url)
          if (found !== 200 || bytes.length !== file.bytes) problems.push(`a file of ${id} is not there: ${found}`)
        }
      }
      cursor = page.nextCursor
    }
  }
  return problems
}
