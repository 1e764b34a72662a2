import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { formatNumber } from '#client/format.ts'
import { useListParams } from './list-params.ts'
import { EmptyMessage, TextLink } from './panel.tsx'

const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }

/** `j` and `k` move between the rows' links or buttons; arrow keys do so inside the table. */
function useRowKeys(table: RefObject<HTMLTableElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = steps[event.key]
      const target = event.target as HTMLElement
      if (!step || !table.current || event.ctrlKey || event.metaKey || event.altKey) return
      if (target.closest?.('input, textarea, select, dialog') || document.querySelector('dialog[open]')) return
      const inside = table.current.contains(target)
      const elsewhere = target.closest?.('table') ?? document.querySelector('main table')
      if (!inside && (event.key.startsWith('Arrow') || elsewhere !== table.current)) return
      const rows = [...table.current.tBodies].flatMap((body) => [...body.rows])
      const at = rows.findIndex((row) => row.contains(target))
      const next = at < 0 ? 0 : at + step
      rows[next]?.querySelector<HTMLElement>('a, button')?.focus()
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [table])
}

export interface Column<Row> {
  name: string
  cell: (row: Row) => ReactNode
  /** On a phone's card, `wide` has a line of its own, and `actions` are in the first line. */
  as?: 'number' | 'wide' | 'actions'
  /** Server's values of `sort` in the address; the first is tried first. */
  sorts?: { ascending?: string; descending?: string }
  /** For a complete list, sorted on the client. */
  sortBy?: [name: string, of: (row: NoInfer<Row>) => string | number | null]
}

export const numberColumns =
  <Row,>() =>
  <Value extends string | number | null>(
    name: string,
    id: string,
    of: (row: Row) => Value,
    show: (value: Value, row: Row) => ReactNode = formatNumber as never,
  ): Column<Row> => ({ name, as: 'number', sortBy: [id, of], cell: (row) => show(of(row), row) })

/** Sorted by the server. */
export const createdAtColumn = { as: 'number', sorts: { ascending: 'oldest', descending: 'newest' } } as const

export interface TableProps<Row> {
  label: string
  /** False leaves the column out. */
  columns: (Column<Row> | false)[]
  rows: readonly Row[]
  /** `id` by default. */
  rowKey?: keyof Row
  /** The first cell is the link. */
  link?: ((row: Row) => string) | undefined
  defaultSort?: string
  busy?: boolean
  empty: ReactNode
  selection?: Selection | undefined
}

/** Rows chosen by their keys. */
export interface Selection {
  keys: ReadonlySet<string>
  change: (keys: string[], on: boolean) => void
  rowLabel: string
  allLabel: string
}

function Heading<Row>({ column, defaultSort }: { column: Column<Row>; defaultSort: string | undefined }) {
  const { params, change } = useListParams()
  const { name, as, sortBy } = column
  const sorts = sortBy ? { ascending: sortBy[0], descending: `${sortBy[0]}_down` } : column.sorts
  const { ascending, descending } = sorts ?? {}
  const sort = params.sort ?? defaultSort
  const order = sort && (sort === ascending ? 'ascending' : sort === descending ? 'descending' : undefined)
  const Icon = order ? (order === 'ascending' ? ArrowUp : ArrowDown) : ChevronsUpDown
  const turn = () => {
    const [first, second] = descending === defaultSort ? [descending, ascending] : [ascending, descending]
    const next = sort === first ? (second ?? first) : (first ?? second)
    change({ sort: next === defaultSort ? undefined : next })
  }
  return (
    <th scope="col" data-as={as} aria-sort={order || undefined}>
      {sorts ? (
        <button
          type="button"
          className="inline-flex cursor-pointer items-center gap-1 rounded-sm hover:text-base-content pointer-coarse:min-h-11 pointer-coarse:min-w-11"
          onClick={turn}
        >
          {name}
          <Icon aria-hidden className="size-3.5 opacity-70" />
        </button>
      ) : (
        <span className={as === 'actions' ? 'sr-only' : undefined}>{name}</span>
      )}
    </th>
  )
}

const isDown = /_down$/

/** Missing values come last. */
function inOrder<Row>(rows: readonly Row[], columns: Column<Row>[], sort = ''): readonly Row[] {
  const [, of] = columns.find(({ sortBy }) => sortBy?.[0] === sort.replace(isDown, ''))?.sortBy ?? []
  if (!of) return rows
  const turned = isDown.test(sort) ? -1 : 1
  return rows.toSorted((one, other) => {
    const [a, b] = [of(one), of(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return turned * (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)))
  })
}

/** On a phone's card: two cells on each line; wide or remaining cells fill a line. */
function cellPositions<Row>(columns: Column<Row>[]): ('start' | 'end' | 'line')[] {
  const hasActions = columns.some(({ as }) => as === 'actions')
  let second = false
  return columns.map(({ as }, index) => {
    const isSecond = second
    const next = columns.slice(index + 1).find((column) => column.as !== 'actions')
    if (as === 'actions') return 'end'
    second = as !== 'wide' && !isSecond && !(index === 0 && hasActions) && next !== undefined && next.as !== 'wide'
    if (isSecond && as !== 'wide') return 'end'
    return second || (index === 0 && hasActions) ? 'start' : 'line'
  })
}

/** On phones each row is a card. */
export function Table<Row extends object>({
  label,
  columns: given,
  rows,
  rowKey = 'id' as keyof Row,
  link,
  defaultSort,
  busy,
  empty,
  selection,
}: TableProps<Row>) {
  const [, navigate] = useLocation()
  const { params } = useListParams()
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table)
  const columns = given.filter((column) => column !== false)
  const positions = cellPositions(columns)
  const open = (event: MouseEvent, row: Row) => {
    if (link && !(event.target as HTMLElement).closest('a, button, input, select, label')) navigate(link(row))
  }
  if (rows.length === 0) return <EmptyMessage>{empty}</EmptyMessage>
  return (
    <div className="overflow-x-auto">
      <table ref={table} className="table" aria-label={label} aria-busy={busy || undefined}>
        <thead className="text-muted">
          <tr>
            {selection && (
              <th scope="col">
                <input
                  type="checkbox"
                  className="checkbox checkbox-sm rounded-sm checked:checkbox-primary"
                  aria-label={selection.allLabel}
                  checked={rows.every((row) => selection.keys.has(String(row[rowKey])))}
                  onChange={(event) =>
                    selection.change(
                      rows.map((row) => String(row[rowKey])),
                      event.target.checked,
                    )
                  }
                />
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.name} column={column} defaultSort={defaultSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {inOrder(rows, columns, params.sort ?? defaultSort).map((row) => (
            <tr
              key={String(row[rowKey])}
              className={link && 'row-hover cursor-pointer'}
              onClick={(event) => open(event, row)}
            >
              {selection && (
                <td data-place="line">
                  <label className="inline-flex items-center gap-2 pointer-coarse:min-h-11 pointer-coarse:min-w-11">
                    <input
                      type="checkbox"
                      className="checkbox checkbox-sm rounded-sm checked:checkbox-primary"
                      checked={selection.keys.has(String(row[rowKey]))}
                      onChange={(event) => selection.change([String(row[rowKey])], event.target.checked)}
                    />
                    <span className="text-muted md:sr-only">{selection.rowLabel}</span>
                  </label>
                </td>
              )}
              {columns.map(({ name, cell, as }, index) => (
                <td
                  key={name}
                  data-as={as}
                  data-place={positions[index]}
                  data-label={as === 'number' ? name : undefined}
                >
                  {link && index === 0 ? <TextLink to={link(row)}>{cell(row)}</TextLink> : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
