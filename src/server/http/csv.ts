import { setImmediate as nextTurn } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import type { Context } from 'hono'
import type { Page, PageRequest } from '#shared/paging.ts'
import { wibFields } from '#shared/time.ts'

const batch = 200
const maxRows = 200_000

type CsvResponse = ReturnType<typeof csvResponse>

/** A page as JSON, or the whole list as a file for spreadsheets. */
export async function listResponse<Row, List extends Page<Row>>(
  c: Context,
  name: string,
  columns: CsvColumns<Row>,
  readPage: (page?: PageRequest) => Promise<List>,
): Promise<CsvResponse | List> {
  return wantsCsv(c) ? csvResponse(c, name, columns, readPage) : readPage()
}

/** True if the client requests a list as a file for spreadsheets. */
export function wantsCsv(c: Context): boolean {
  return /\btext\/csv\b/.test(c.req.header('accept') ?? '')
}

/** A moment in western Indonesian time; the column's name contains the time zone. */
export function toWesternIndonesianTime(moment: string | null): string | null {
  if (moment === null) return null
  const local = wibFields(moment).toISOString()
  return `${local.slice(0, 10)} ${local.slice(11, 19)}`
}

export type CsvColumns<Row> = Record<string, (row: Row) => string | number | boolean | null>

/**
 * Formula injection (CWE-1236): also after other separators, since a spreadsheet with another
 * separator does not recognise our quotes.
 */
const formulaStart = /(^|[,;|\t\r\n])(["'\s]*)(?=[=+\-@＝＋－＠])/g
const asText = (text: string): string => text.replace(formulaStart, "$1$2'")

/**
 * Streams all pages as one CSV file (RFC 4180), with a byte order mark so that spreadsheets read
 * UTF-8.
 */
export function csvResponse<Row>(
  c: Context,
  name: string,
  columns: CsvColumns<Row>,
  readPage: (page: PageRequest) => Promise<Page<Row>>,
): Response {
  const encoder = new TextEncoder()
  const cells = Object.values(columns)
  let cursor: string | undefined
  let rows = 0
  let first = true
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Lets other requests run if the database responds at once.
      await nextTurn()
      const page = await readPage({ cursor, limit: batch })
      const lines = page.items.map((row) => cells.map((cell) => cell(row)))
      const text = stringify(first ? [Object.keys(columns), ...lines] : lines, {
        bom: first,
        quoted: true,
        quoted_empty: true,
        record_delimiter: 'windows',
        cast: { boolean: (value) => (value ? 'yes' : 'no'), string: asText },
      })
      controller.enqueue(encoder.encode(text))
      first = false
      rows += lines.length
      cursor = page.nextCursor ?? undefined
      if (cursor === undefined || rows >= maxRows) controller.close()
    },
  })
  return c.body(body, 200, {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}.csv"`,
    'cache-control': 'private, no-store',
  })
}
