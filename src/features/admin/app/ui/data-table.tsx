import { useLingui } from '@lingui/react/macro'
import { rowSortingFeature, type SortingState, tableFeatures, useTable } from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Page } from '#contract/paging.ts'
import { Button } from '#ui/button.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { ListAddress } from './address.ts'
import { Nothing } from './page.tsx'

const features = tableFeatures({ rowSortingFeature })

export interface Column<Row> {
  id: string
  name: string
  cell: (row: Row) => ReactNode
  /** Numbers stand at the end of their column. */
  end?: boolean
  /** Buttons, whose column needs no heading for those who see. */
  actions?: true
  /** On a phone's card it has a line of its own. */
  wide?: true
  /** The list's orders (the address's `sort`) by this column; the first is tried first. */
  sorts?: { ascending?: string; descending?: string }
}

interface TableProps<Row> {
  label: string
  columns: Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Where a row leads; its first cell is the link. */
  linkOf?: (row: Row) => string
  address?: ListAddress
  /** The list's order when the address names none. */
  defaultSort?: string
  busy?: boolean
}

/**
 * Where cells stand when a row is a card: the buttons at the end of the first line, the others two
 * to a line; wide ones and what is left over have all of it.
 */
function placesOf<Row>(columns: Column<Row>[]): Map<string, 'start' | 'end' | 'line'> {
  const places = new Map<string, 'start' | 'end' | 'line'>()
  const hasButtons = columns.some(({ actions }) => actions)
  let alone: string | undefined
  for (const [index, { id, actions, wide }] of columns.entries()) {
    const besideButtons = index === 0 && hasButtons
    if (actions) places.set(id, 'end')
    else if (wide) {
      if (alone !== undefined) places.set(alone, 'line')
      places.set(id, 'line')
      alone = undefined
    } else {
      places.set(id, alone === undefined ? 'start' : 'end')
      alone = alone === undefined && !besideButtons ? id : undefined
    }
  }
  if (alone !== undefined) places.set(alone, 'line')
  return places
}

const skeletonRows = Array.from({ length: 8 }, (_, row) => `row ${row}`)

/** A table whose order stands in the address; on phones each row is a card. */
function Table<Row extends object>({
  label,
  columns,
  rows,
  keyOf,
  linkOf,
  address,
  defaultSort,
  busy,
}: TableProps<Row>) {
  const [, navigate] = useLocation()
  const sort = address?.params.sort ?? defaultSort
  const sorting: SortingState = columns.flatMap(({ id, sorts }) => {
    if (sort && sorts?.ascending === sort) return { id, desc: false }
    return sort && sorts?.descending === sort ? { id, desc: true } : []
  })
  const table = useTable({
    features,
    data: rows as Row[],
    columns: columns.map(({ id, name, sorts }) => ({
      id,
      header: name,
      accessorFn: (row: Row) => row,
      enableSorting: Boolean(sorts && address),
    })),
    state: { sorting },
    manualSorting: true,
    getRowId: keyOf,
  })
  const places = placesOf(columns)
  const columnOf = (id: string) => columns.find((column) => column.id === id) as Column<Row>
  const turn = (id: string) => {
    const { ascending, descending } = columnOf(id).sorts ?? {}
    const [first, second] = descending === defaultSort ? [descending, ascending] : [ascending, descending]
    const next = sort === first ? (second ?? first) : (first ?? second)
    address?.change({ sort: next === defaultSort ? undefined : next })
  }
  return (
    <div className="adm-scroll">
      <table className="adm-table" data-stack aria-label={label} aria-busy={busy || undefined}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map(({ id, column }) => {
                const { end, name, actions } = columnOf(id)
                const sorted = sorting.find((entry) => entry.id === id)
                const Icon = sorted ? (sorted.desc ? ArrowDown : ArrowUp) : ChevronsUpDown
                const order = sorted ? (sorted.desc ? 'descending' : 'ascending') : undefined
                return (
                  <th key={id} scope="col" data-end={end || actions} aria-sort={order}>
                    {column.getCanSort() ? (
                      <button type="button" className="adm-sort" onClick={() => turn(id)}>
                        {name}
                        <Icon aria-hidden className="size-3.5 opacity-70" />
                      </button>
                    ) : (
                      <span className={actions && 'sr-only'}>{name}</span>
                    )}
                  </th>
                )
              })}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => {
            const { id, original } = row
            const link = linkOf?.(original)
            const open = (event: React.MouseEvent) => {
              if (!link || (event.target as HTMLElement).closest('a, button, input, select')) return
              navigate(link)
            }
            return (
              <tr key={id} data-link={link ? true : undefined} onClick={link ? open : undefined}>
                {row.getAllCells().map(({ column }, index) => {
                  const { cell, end, name, actions } = columnOf(column.id)
                  return (
                    <td
                      key={column.id}
                      data-end={end || actions}
                      data-actions={actions}
                      data-place={places.get(column.id)}
                      data-label={end ? name : undefined}
                      className={end ? 'adm-num' : undefined}
                    >
                      {link && index === 0 ? (
                        <Link to={link} className="adm-row">
                          {cell(original)}
                        </Link>
                      ) : (
                        cell(original)
                      )}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** A list of the server's, page by page, with its states. */
export function DataTable<Row extends object>({
  query,
  address,
  empty,
  ...table
}: Omit<TableProps<Row>, 'rows' | 'busy'> & {
  query: {
    data: Page<Row> | undefined
    error: unknown
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  address: ListAddress
  /** What an empty list says. */
  empty: ReactNode
}) {
  const { t } = useLingui()
  const { data, error, isPlaceholderData, refetch } = query
  if (!data && error) {
    return (
      <section className="adm-panel">
        <LoadFailed error={error} onRetry={() => void refetch()} />
      </section>
    )
  }
  if (!data) {
    return (
      <section className="adm-panel adm-body grid gap-3" aria-busy="true">
        {skeletonRows.map((row) => (
          <Skeleton key={row} className="h-6" />
        ))}
      </section>
    )
  }
  const { items, nextCursor } = data
  const { from = '', to = '' } = address.params
  const nothing = to !== '' && from > to ? t`Tanggal mulai harus sebelum tanggal akhir.` : empty
  return (
    <section className="adm-panel">
      {items.length === 0 ? (
        <Nothing>{nothing}</Nothing>
      ) : (
        <Table {...table} rows={items} address={address} busy={isPlaceholderData} />
      )}
      {(nextCursor !== null || address.back) && (
        <div className="adm-foot">
          <span className="mr-auto" />
          <Button
            variant="ghost"
            disabled={!address.back}
            icon={<ChevronLeft aria-hidden className="size-4" />}
            onClick={address.back}
          >
            {t`Sebelumnya`}
          </Button>
          <Button variant="ghost" disabled={nextCursor === null} onClick={() => nextCursor && address.next(nextCursor)}>
            {t`Berikutnya`}
            <ChevronRight aria-hidden className="size-4" />
          </Button>
        </div>
      )}
    </section>
  )
}

/** A short table that is whole. */
export function ShortTable<Row extends object>({
  empty,
  rows,
  ...table
}: Omit<TableProps<Row>, 'address' | 'defaultSort'> & { empty: ReactNode }) {
  return rows.length === 0 ? <Nothing>{empty}</Nothing> : <Table {...table} rows={rows} />
}
