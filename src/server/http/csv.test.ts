import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { csvResponse } from './csv.ts'

async function lineOf(cells: (string | number | boolean | null)[]): Promise<string> {
  const columns = Object.fromEntries(cells.map((_, index) => [`c${index}`, (row: typeof cells) => row[index] ?? null]))
  const app = new Hono().get('/', (c) =>
    csvResponse(c, 'list', columns, async () => ({ items: [cells], nextCursor: null })),
  )
  const text = await (await app.request('/')).text()
  return text.split(/^.*\r\n/)[1]?.replace(/\r\n$/, '') ?? ''
}

/** Spreadsheets with another separator recognise quotes only at the start of a cell. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  let at = 0
  while (at <= line.length) {
    let cell = ''
    if (line[at] === '"') {
      for (at += 1; at < line.length; at += 1) {
        if (line[at] !== '"') cell += line[at]
        else if (line[at + 1] === '"') {
          cell += '"'
          at += 1
        } else break
      }
      at += 1
    }
    const end = [separator, '\n', '\r'].map((mark) => line.indexOf(mark, at)).filter((found) => found >= 0)
    const stop = Math.min(...end, line.length)
    cells.push(cell + line.slice(at, stop))
    at = stop + 1
  }
  return cells
}

const isFormula = (cell: string) => /^\s*[=+\-@＝＋－＠]/.test(cell)
const attacks = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '＠1', "=cmd|' /c calc'!A1", '=A1;=B1']

test.each([',', ';', '\t', '|'])('no cell begins a formula where %j separates', async (separator) => {
  for (const attack of attacks) {
    for (const text of [
      attack,
      `x;${attack}`,
      `x\t${attack}`,
      `x|${attack}`,
      `x\n${attack}`,
      `x; "${attack}`,
      `x;""${attack}`,
      `x,${attack}`,
    ]) {
      const line = await lineOf(['id', text, `${text}"`, 'end'])
      expect(cellsOf(line, separator).filter(isFormula), line).toEqual([])
    }
  }
})

test('every cell is quoted, numbers stay numbers, and harmless text stays as it is', async () => {
  expect(await lineOf(['id', -25, true, null, '', 'Jl. Mawar 5; Bandung', 'a - b = c'])).toBe(
    '"id","-25","yes","","","Jl. Mawar 5; Bandung","a - b = c"',
  )
})

test('a long list yields to other work between its pages', async () => {
  const pages = 30
  let read = 0
  const app = new Hono().get('/', (c) =>
    csvResponse(c, 'list', { n: (row: number) => row }, async () => {
      read += 1
      return { items: [read], nextCursor: read < pages ? 'more' : null }
    }),
  )
  let over = false
  let turns = 0
  const count = () => {
    turns += 1
    if (!over) setImmediate(count)
  }
  setImmediate(count)
  const text = await (await app.request('/')).text()
  over = true
  expect(text.split('\r\n')).toHaveLength(pages + 2)
  expect(turns).toBeGreaterThanOrEqual(pages - 1)
})
