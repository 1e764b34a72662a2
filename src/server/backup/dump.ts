import { createReadStream, createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { type Database, rows, type Transaction } from '../db/database.ts'

/** Not backed up: generations have copies of their uploads, and clients send the others again. */
const ephemeral = ['processes', 'uploads']
const batch = 1000

interface Dumped {
  tables: Record<string, number>
  files: { key: string; bytes: number }[]
}

/**
 * Writes all rows of one moment as gzipped JSON lines: `{"table":…,"columns":…}`, then the rows.
 * Blocks the embedded database meanwhile.
 */
export async function dumpDatabase(db: Database, file: string): Promise<Dumped> {
  const dumped: Dumped = { tables: {}, files: [] }
  await db.transaction(
    async (tx) => {
      await pipeline(
        Readable.from(linesOf(tx, dumped)),
        createGzip({ level: 4 }),
        createWriteStream(file, { mode: 0o600 }),
      )
      dumped.files = await rows<{ key: string; bytes: number }>(
        tx,
        sql`select storage_key as key, bytes::int8::text::float8 as bytes from stored_files where delete_at is null order by 1`,
      )
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
  return dumped
}

async function* linesOf(tx: Transaction, dumped: Dumped): AsyncGenerator<string> {
  for (const { name, columns } of await tablesOf(tx)) {
    yield `${JSON.stringify({ table: name, columns })}\n`
    let count = 0
    await tx.execute(
      sql`declare dumped no scroll cursor for select to_json(t)::text as line from ${sql.identifier(name)} t`,
    )
    for (;;) {
      const found = await rows<{ line: string }>(tx, sql.raw(`fetch ${batch} from dumped`))
      if (found.length === 0) break
      count += found.length
      yield `${found.map(({ line }) => line.replaceAll('\n', ' ')).join('\n')}\n`
    }
    await tx.execute(sql`close dumped`)
    dumped.tables[name] = count
  }
  const sequences = await rows(
    tx,
    sql`select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public'`,
  )
  yield `${JSON.stringify({ sequences })}\n`
}

/** Tables in dependency order, with their writable columns. */
async function tablesOf(tx: Transaction): Promise<{ name: string; columns: string[] }[]> {
  const tables = await rows<{ name: string; columns: string[]; refers: string[] | null }>(
    tx,
    sql`select c.relname as name,
        array(select a.attname::text from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
        array(select distinct r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
          where k.conrelid = c.oid and k.contype = 'f' and r.oid <> c.oid) as refers
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind = 'r' order by 1`,
  )
  const ordered = new Map<string, string[]>()
  const add = (name: string) => {
    const table = tables.find((one) => one.name === name)
    if (!table || ordered.has(name)) return
    for (const other of table.refers ?? []) if (other !== name) add(other)
    ordered.set(name, table.columns)
  }
  for (const { name } of tables) if (!ephemeral.includes(name)) add(name)
  return [...ordered].map(([name, columns]) => ({ name, columns }))
}

/** Loads a dump into a database of the same schema, replacing all its rows. */
export async function loadDump(db: Database, file: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  await db.transaction(async (tx) => {
    const names = (await tablesOf(tx)).map(({ name }) => name)
    const identifiers = names.map((name) => sql.identifier(name))
    // Triggers that protect a running shop's books would reject the load.
    for (const name of identifiers) await tx.execute(sql`alter table ${name} disable trigger user`)
    await tx.execute(sql`truncate ${sql.join(identifiers, sql`, `)} cascade`)
    let table: { name: string; columns: string[] } | undefined
    let waiting: string[] = []
    const flush = async () => {
      if (!table || waiting.length === 0) return
      const columns = sql.join(
        table.columns.map((column) => sql.identifier(column)),
        sql`, `,
      )
      await tx.execute(sql`insert into ${sql.identifier(table.name)} (${columns}) overriding system value
        select ${columns} from json_populate_recordset(null::${sql.identifier(table.name)}, ${`[${waiting.join(',')}]`}::json)`)
      counts[table.name] = (counts[table.name] ?? 0) + waiting.length
      waiting = []
    }
    const lines = createInterface({
      input: createReadStream(file).pipe(createGunzip()),
      crlfDelay: Number.POSITIVE_INFINITY,
    })
    for await (const line of lines) {
      if (line.startsWith('{"table":')) {
        await flush()
        const { table: name, columns } = JSON.parse(line) as { table: string; columns: string[] }
        table = { name, columns }
        counts[name] = 0
      } else if (line.startsWith('{"sequences":')) {
        await flush()
        const { sequences } = JSON.parse(line) as { sequences: { name: string; last: string | null }[] }
        for (const { name, last } of sequences) {
          if (last !== null) await tx.execute(sql`select setval(${name}::regclass, ${last}::bigint)`)
        }
      } else if (waiting.push(line) >= batch) await flush()
    }
    for (const name of identifiers) await tx.execute(sql`alter table ${name} enable trigger user`)
  })
  return counts
}
